"""A batch that is sent at once is no load that is held: tables by batch size are refused, and told why."""

import pytest

from core.errors import RefusedFileError
from core.ingest.raw import Upload
from core.ingest.read import read_file

OPTIMIZER = "batch_size,throughput_tps,e2e_latency_ms,ttft_ms,itl_ms\n1,30,1000,20,9\n8,200,1500,40,10\n"
INFERENCE_BENCH = (
    "Hardware,Num of Hardware,Framework,Model,Input Output Length,Batch Size,Latency,Throughput\n"
    "Some GPU,1,vLLM,org/tiny,128,1,0.21,1226\nSome GPU,1,vLLM,org/tiny,128,16,0.59,6967\n"
)
SPEED_ONLY = "Model,Batch Size,Throughput (tok/s)\norg/tiny,1,30\norg/tiny,8,60\n"


@pytest.mark.parametrize("text", [OPTIMIZER, INFERENCE_BENCH, SPEED_ONLY])
def test_a_batch_size_is_not_taken_for_a_concurrency(text):
    with pytest.raises(RefusedFileError) as refused:
        read_file(Upload("batches.csv", text.encode()))
    assert refused.value.code == "ingest.no_load_column"
    assert "sent at once" in str(refused.value.what)
    assert "call it concurrency" in str(refused.value.fix)
    assert refused.value.place.line == 1


def test_beside_a_concurrency_a_batch_size_is_a_setting_and_no_load():
    text = "concurrency,batch_size,ttft_p99_ms\n4,16,100\n8,16,200\n4,32,90\n8,32,180\n"
    levels = read_file(Upload("both.csv", text.encode())).levels
    assert [level.asked_concurrency for level in levels] == [4.0, 8.0, 4.0, 8.0]
    assert [level.identity["batch_size"] for level in levels] == ["16", "16", "32", "32"]
