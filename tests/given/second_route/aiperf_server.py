"""Facts of AIPerf's sums of server metrics, by plain reading; run from anywhere as a script."""

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve()
ROOT = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[4] / "shared" / "data"


def facts(document):
    cache = document["metrics"]["vllm:cache_config_info"]["series"][0]["labels"]
    used = [each["stats"]["max"] for each in document["metrics"]["vllm:kv_cache_usage_perc"]["series"]]
    queries = sum(each["stats"]["total"] for each in document["metrics"]["vllm:prefix_cache_queries"]["series"])
    hits = sum(each["stats"]["total"] for each in document["metrics"]["vllm:prefix_cache_hits"]["series"])
    measured = {"kv_used_fraction": max(used)} | ({"cache_hit_rate": hits / queries} if queries else {})
    return {
        "format_id": "aiperf_server",
        "format_version": document["schema_version"],
        "levels": [],
        "about": {
            "engine": "vLLM",
            "kv_cache_tokens": int(cache["kv_cache_size_tokens"]),
            "kv_cache_gib": int(cache["kv_cache_memory_bytes"]) / 2**30,
        },
        "measured": measured,
    }


def main():
    files = {}
    for path in sorted((ROOT / "generated" / "tools").rglob("server_metrics_export.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        if document["metrics_phase"] == "profiling" and "vllm:cache_config_info" in document["metrics"]:
            files[path.relative_to(ROOT).as_posix()] = facts(document)
    out = {"how": "python tests/given/second_route/aiperf_server.py", "files": files}
    (HERE.parents[1] / "aiperf_server.json").write_text(json.dumps(out, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
