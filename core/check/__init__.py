"""What a reader should know about the data before believing an answer. Findings, never exceptions."""
