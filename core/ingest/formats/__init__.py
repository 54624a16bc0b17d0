"""One module per file format; `core.ingest.registry` lists them."""
