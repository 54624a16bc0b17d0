from core.ingest.raw import Upload
def without_texts(upload: Upload) -> bytes | None:
    return upload.data
