"""Raw levels to seconds, stages and runs."""
