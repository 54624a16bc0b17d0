"""One open browser tab without a browser: speaks the app's own protocol over its websocket."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileURLsResponse, UploadedFileInfo
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from benchmarks.speed.server import Server

LONGEST_RUN_S = 120.0
FINISHED = ForwardMsg.FINISHED_SUCCESSFULLY


@dataclass(slots=True)
class Tab:
    """A session. Keeps what a browser keeps: the page, the address, the numbers that were typed.

    Attributes:
        ids: widget id by its key, from the last run of the script that drew it.
        query: the address's parameters.
        pages: what the server calls each page, by its name in the address.
        received: bytes that came with the last run.
        charts: that the last run drew.
        failures: exceptions that the script showed.
    """

    server: Server
    ids: dict[str, str] = field(default_factory=dict)
    query: str = ""
    pages: dict[str, str] = field(default_factory=dict)
    received: int = 0
    charts: int = 0
    failures: list[str] = field(default_factory=list)
    _socket: ClientConnection | None = None
    _session: str = ""
    _page: str = ""
    _typed: dict[str, float] = field(default_factory=dict)

    async def __aenter__(self) -> Self:
        self._socket = await connect(self.server.stream, subprotocols=[Subprotocol("streamlit")], max_size=None)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._open.close()

    async def run(self, *more: WidgetState) -> float:
        """Run the script with what is typed; return wall seconds until it ended."""
        message = BackMsg()
        message.rerun_script.query_string = self.query
        message.rerun_script.page_script_hash = self._page
        typed = [WidgetState(id=name, double_value=value) for name, value in self._typed.items()]
        message.rerun_script.widget_states.widgets.extend([*typed, *more])
        start = time.perf_counter()
        self.received = self.charts = 0
        await self._open.send(message.SerializeToString())
        await asyncio.wait_for(self._until("script_finished"), LONGEST_RUN_S)
        return time.perf_counter() - start

    async def visit(self, name: str) -> float:
        """Go to another page, where nothing is typed yet."""
        self._page = self.pages[name]
        self._typed.clear()
        return await self.run()

    async def click(self, key: str) -> float:
        """Press a button."""
        return await self.run(WidgetState(id=self.ids[key], trigger_value=True))

    async def enter(self, key: str, value: float) -> float:
        """Type a number."""
        self._typed[self.ids[key]] = value
        return await self.run()

    async def upload(self, key: str, files: Sequence[tuple[str, bytes]]) -> float:
        """Drop files into an uploader."""
        message = BackMsg()
        message.file_urls_request.request_id = "files"
        message.file_urls_request.file_names.extend(name for name, _ in files)
        message.file_urls_request.session_id = self._session
        await self._open.send(message.SerializeToString())
        answer = await asyncio.wait_for(self._until("file_urls_response"), LONGEST_RUN_S)
        state = WidgetState(id=self.ids[key])
        state.file_uploader_state_value.uploaded_file_info.extend(
            await asyncio.to_thread(self._put, answer.file_urls_response, files)
        )
        return await self.run(state)

    def _put(self, places: FileURLsResponse, files: Sequence[tuple[str, bytes]]) -> list[UploadedFileInfo]:
        token = self.server.upload_token()
        told = []
        for urls, (name, data) in zip(places.file_urls, files, strict=True):
            self.server.put(urls.upload_url, token, name, data)
            told.append(UploadedFileInfo(name=name, size=len(data), file_id=urls.file_id, file_urls=urls))
        return told

    @property
    def _open(self) -> ClientConnection:
        if self._socket is None:
            raise RuntimeError("the tab is closed")
        return self._socket

    async def _until(self, kind: str) -> ForwardMsg:
        """Take messages up to one of a kind; a run that was cut short by the next one is not the end."""
        while True:
            data = await self._open.recv(decode=False)
            self.received += len(data)
            message: ForwardMsg = ForwardMsg.FromString(data)
            self._take(message)
            ended = message.WhichOneof("type") == kind
            if ended and (kind != "script_finished" or message.script_finished == FINISHED):
                return message

    def _take(self, message: ForwardMsg) -> None:
        match message.WhichOneof("type"):
            case "new_session":
                self._page = message.new_session.page_script_hash
                self._session = message.new_session.initialize.session_id or self._session
            case "navigation":
                self.pages = {page.url_pathname: page.page_script_hash for page in message.navigation.app_pages}
            case "page_info_changed":
                self.query = message.page_info_changed.query_string
            case "delta" if message.delta.WhichOneof("type") == "new_element":
                element = message.delta.new_element
                kind = element.WhichOneof("type")
                self.charts += kind == "plotly_chart"
                if kind == "exception":
                    self.failures.append(f"{element.exception.type}: {element.exception.message}")
                name = getattr(getattr(element, kind), "id", "") if kind else ""
                if name:
                    self.ids[key_of(name)] = name


def key_of(name: str) -> str:
    """Return the key in a widget's id.

    >>> key_of("$$ID-0123456789abcdef0123456789abcdef-target_value_0")
    'target_value_0'
    """
    return name.split("-", 2)[-1]
