"""The files in deploy/ fit the app, each other, and what the documentation says of them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys

import pytest
import yaml

SETTING = re.compile(r"PLIMSOLL_[A-Z_0-9]+")


@pytest.fixture(scope="module")
def deploy(root):
    return {path.name: path.read_text(encoding="utf-8") for path in (root / "deploy").iterdir() if path.is_file()}


def instructions(text):
    """Return the instructions of a container file as (word, rest), with continued lines put together."""
    joined = re.sub(r"\\\n\s*", " ", "\n".join(line for line in text.splitlines() if not line.startswith("#")))
    return [tuple(line.split(maxsplit=1)) for line in joined.splitlines() if line.strip()]


def test_everything_that_is_copied_exists_and_nothing_the_app_imports_is_left_out(root, deploy):
    copied = [rest.split() for word, rest in instructions(deploy["Containerfile"]) if word == "COPY"]
    sources = {source for parts in copied for source in parts[:-1]}
    assert not [source for source in sources if not (root / source).exists()]
    assert {"app.py", "core", "pages", "serve", "data", "requirements-server.lock"} <= sources


def test_the_container_is_nobody_checks_itself_and_installs_by_hash(deploy):
    told = instructions(deploy["Containerfile"])
    assert told[0][0] == "FROM"
    assert "slim" in told[0][1]
    assert dict(told)["USER"] == "10001:10001"
    assert "/healthz" in dict(told)["HEALTHCHECK"]
    assert any("--require-hashes" in rest for word, rest in told if word == "RUN")
    assert any("fonts-noto-cjk" in rest for word, rest in told if word == "RUN")
    # What runs as root comes before the user is left for good.
    words = [word for word, _ in told]
    assert "RUN" not in words[words.index("USER") :]
    assert not [rest for word, rest in told if word == "ADD"]


def command(deploy):
    return json.loads(dict(instructions(deploy["Containerfile"]))["CMD"])


def test_the_command_of_the_container_runs_as_it_is_written(root, deploy, tmp_path):
    import os
    import socket
    import time
    import urllib.error
    import urllib.request

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    changed = {"python": sys.executable, "8501": port, "0.0.0.0": "127.0.0.1"}
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PLIMSOLL_")}
    with (tmp_path / "log").open("wb") as log:
        running = subprocess.Popen(
            [changed.get(part, part) for part in command(deploy)],
            cwd=root,
            env=plain | {"PLIMSOLL_HOME": str(tmp_path)},
            stdout=log,
            stderr=log,
        )
    try:
        end, text = time.monotonic() + 60, ""
        while not text and time.monotonic() < end and running.poll() is None:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as answer:
                    text = answer.read().decode()
                    assert "server" not in {name.lower() for name in answer.headers}
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
        assert text == "ok", (tmp_path / "log").read_text(errors="replace")[-2000:]
    finally:
        running.terminate()
        running.wait(timeout=30)
    # Asked to stop it stops, and says so by its status.
    assert running.returncode in (0, -15)


def test_the_app_reads_forwarded_headers_itself(deploy):
    assert "--no-proxy-headers" in command(deploy)


@pytest.fixture(scope="module")
def compose(deploy):
    return yaml.safe_load(deploy["compose.yaml"])


def test_compose_starts_two_servers_that_differ_only_in_name_and_folder(compose):
    a, b = compose["services"]["plimsoll-a"], compose["services"]["plimsoll-b"]
    assert a["environment"].pop("PLIMSOLL_REPLICA") == "a"
    assert b["environment"].pop("PLIMSOLL_REPLICA") == "b"
    assert a["volumes"] != b["volumes"]
    assert {k: v for k, v in a.items() if k != "volumes"} == {k: v for k, v in b.items() if k != "volumes"}
    assert a["environment"]["PLIMSOLL_DATABASE_URL"].startswith("postgresql://")


def test_compose_shows_only_the_proxy_and_every_part_is_there(root, compose, deploy):
    services = compose["services"]
    assert [name for name, service in services.items() if service.get("ports")] == ["nginx"]
    for service in services.values():
        assert set(service.get("depends_on", {})) <= set(services)
        named = [volume.partition(":")[0] for volume in service.get("volumes", [])]
        assert not [name for name in named if not name.startswith(".") and name not in compose["volumes"]]
        assert not [name for name in named if name.startswith(".") and not (root / "deploy" / name).exists()]
    for name in ("plimsoll-a", "plimsoll-b", "nginx"):
        assert services[name]["read_only"] is True
        assert services[name]["cap_drop"] == ["ALL"]
    proxy = services["nginx"]["networks"]["inside"]["ipv4_address"]
    assert services["plimsoll-a"]["environment"]["PLIMSOLL_TRUSTED_PROXIES"] == proxy
    for server in re.findall(r"server (plimsoll-\w):8501", deploy["nginx.conf"]):
        assert server in services
    wanted = set(re.findall(r"\$\{([A-Z_]+)", deploy["compose.yaml"]))
    assert wanted == set(re.findall(r"^([A-Z_]+)=", deploy[".env.example"], re.MULTILINE))


def test_compose_with_sign_in_by_header_adds_what_nginx_asks(root, compose, deploy):
    added = yaml.safe_load(deploy["compose.header.yaml"])["services"]
    assert set(added) - set(compose["services"]) == {"oauth2-proxy"}
    assert added["plimsoll-a"] == added["plimsoll-b"]
    said = added["plimsoll-a"]["environment"]
    assert said["PLIMSOLL_SIGN_IN"] == "header"
    # What nginx says is what the app reads.
    for name in ("PLIMSOLL_USER_HEADER", "PLIMSOLL_NAME_HEADER"):
        assert f"proxy_set_header {said[name]} $person" in deploy["nginx.conf"]
    (mounted,) = added["nginx"]["volumes"]
    here, there = mounted.split(":")[:2]
    assert (root / "deploy" / here).is_file()
    assert re.search(r"include (\S+)/\*\.conf;", deploy["nginx.conf"])[1] == there.rpartition("/")[0]
    host, port = re.search(r"http://([\w-]+):(\d+)", deploy["nginx-sign-in.conf"]).groups()
    assert added[host]["environment"]["OAUTH2_PROXY_HTTP_ADDRESS"].endswith(f":{port}")
    assert added[host]["networks"] == ["inside"]
    assert "ports" not in added[host]


@pytest.fixture(scope="module")
def kubernetes(deploy):
    return {part["kind"]: part for part in yaml.safe_load_all(deploy["kubernetes.yaml"])}


def test_kubernetes_parts_find_each_other(kubernetes):
    pod = kubernetes["Deployment"]["spec"]["template"]
    labels = pod["metadata"]["labels"].items()
    assert kubernetes["Deployment"]["spec"]["selector"]["matchLabels"].items() <= labels
    assert kubernetes["Service"]["spec"]["selector"].items() <= labels
    assert kubernetes["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"].items() <= labels
    (container,) = pod["spec"]["containers"]
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    (service,) = kubernetes["Service"]["spec"]["ports"]
    assert service["targetPort"] in ports
    (rule,) = kubernetes["Ingress"]["spec"]["rules"]
    backend = rule["http"]["paths"][0]["backend"]["service"]
    assert backend == {"name": kubernetes["Service"]["metadata"]["name"], "port": {"name": service["name"]}}
    assert rule["host"] in kubernetes["Ingress"]["spec"]["tls"][0]["hosts"]
    volumes = {volume["name"] for volume in pod["spec"]["volumes"]}
    assert {mount["name"] for mount in container["volumeMounts"]} == volumes


def test_kubernetes_asks_the_right_questions_and_keeps_one_server_up(kubernetes, deploy):
    spec = kubernetes["Deployment"]["spec"]
    (container,) = spec["template"]["spec"]["containers"]
    assert container["livenessProbe"]["httpGet"]["path"] == "/healthz"
    assert container["readinessProbe"]["httpGet"]["path"] == "/readyz"
    assert spec["replicas"] > kubernetes["PodDisruptionBudget"]["spec"]["minAvailable"]
    assert spec["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
    security = container["securityContext"]
    assert security["readOnlyRootFilesystem"] is True
    assert security["allowPrivilegeEscalation"] is False
    user = dict(instructions(deploy["Containerfile"]))["USER"].partition(":")[0]
    assert str(spec["template"]["spec"]["securityContext"]["runAsUser"]) == user


def test_kubernetes_sticks_and_holds_no_secret(kubernetes):
    notes = kubernetes["Ingress"]["metadata"]["annotations"]
    assert notes["nginx.ingress.kubernetes.io/affinity"] == "cookie"
    assert kubernetes["Service"]["spec"]["sessionAffinity"] == "ClientIP"
    (container,) = kubernetes["Deployment"]["spec"]["template"]["spec"]["containers"]
    secret = {"PLIMSOLL_DATABASE_URL", "PLIMSOLL_METRICS_TOKEN", "PLIMSOLL_COOKIE_SECRET"}
    for entry in container["env"]:
        if entry["name"] in secret:
            assert set(entry["valueFrom"]) == {"secretKeyRef"}


def test_an_upload_fits_through_every_door(deploy, kubernetes, root):
    import tomllib

    settings = tomllib.loads((root / ".streamlit/config.toml").read_text(encoding="utf-8"))
    most = settings["server"]["maxUploadSize"] + 1
    assert f"client_max_body_size {most}m;" in deploy["nginx.conf"]
    assert kubernetes["Ingress"]["metadata"]["annotations"]["nginx.ingress.kubernetes.io/proxy-body-size"] == f"{most}m"


@pytest.mark.parametrize("by_header", [False, True], ids=["alone", "with-sign-in"])
def test_nginx_understands_its_files(root, deploy, tmp_path, by_header):
    import os

    nginx = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    if nginx is None:
        pytest.skip("nginx is not installed; scripts/services installs it")
    text = re.sub(r"plimsoll-(\w):8501", "127.0.0.1:9", deploy["nginx.conf"]).replace("/tmp/nginx", f"{tmp_path}/nginx")
    text = text.replace("/etc/nginx/sign-in.d", f"{tmp_path}/sign-in.d")
    (tmp_path / "nginx.conf").write_text(text, encoding="utf-8")
    if by_header:
        (tmp_path / "sign-in.d").mkdir()
        asked = deploy["nginx-sign-in.conf"].replace("oauth2-proxy:4180", "127.0.0.1:9")
        (tmp_path / "sign-in.d" / "oauth2-proxy.conf").write_text(asked, encoding="utf-8")
    options = ["-t", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf"), "-e", "stderr"]
    done = subprocess.run([nginx, *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "[warn]" not in done.stderr


def test_every_setting_is_in_the_table_and_every_row_is_a_setting(root):
    told = (root / "docs" / "deploy.md").read_text(encoding="utf-8")
    rows = {
        name for line in told.splitlines() if line.startswith("| `") for name in SETTING.findall(line.split("|")[1])
    }
    assert rows == settings_of(root), "the table in docs/deploy.md and what the code reads differ"


def settings_of(root):
    """Return the names that the code reads: written out, or as the first argument of what adds the prefix."""
    call = re.compile(r"\b(?:setting|_read|_yes|_matching|_networks|_number|_count)\(\s*\"([A-Z][A-Z_0-9]+)\"")
    tuples = re.compile(r"\bnames = \(([^)]+)\)")
    found: set[str] = set()
    for path in [*(root / "core").rglob("*.py"), *(root / "serve").rglob("*.py"), *(root / "pages").rglob("*.py")]:
        text = path.read_text(encoding="utf-8")
        found |= {f"PLIMSOLL_{name}" for name in call.findall(text)}
        if "core.settings" in text or path.name == "settings.py":
            found |= set(re.findall(r"[\"'](PLIMSOLL_[A-Z_0-9]*[A-Z0-9])[\"']", text))
        if "setting(NAME)" in text:
            found |= {f"PLIMSOLL_{name}" for name in re.findall(r"^NAME = \"([A-Z_]+)\"", text, re.MULTILINE)}
        for inside in tuples.findall(text) if path.name == "sign_in.py" else ():
            found |= {f"PLIMSOLL_{name}" for name in re.findall(r"\"([A-Z_]+)\"", inside)}
    return found
