"""Bytes to raw levels: unpack, recognise, read. Nothing is converted here.

Where to look:

* the way of a file: `containers` → `read` → `decode` → `importer` with `registry` → one of `formats`
  (what a tool writes beside its results: `byproduct`, `beside`)
* what importers return: `raw`; what they share: `fields`, `names`, `notices`, `conditions`, `peek`, `yaml_text`
* tables: `tables` finds them (`workbook`, `markdown`, `grid`, `layout`, `wide`), `table` is one; `header`, `columns`
  and `meaning` say what its columns are, `mapping` what a person said of them, `table_level` makes levels
* single requests, to millions: `source`, `lines` and `spill` read in blocks; `request_*` turn them into columns
* printed results: `console_*`; servers' logs: `engine_*`; vLLM's and SGLang's fields: `bench_*`
"""
