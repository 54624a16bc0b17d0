"""What the other layers speak of: frozen, keyword-only, in seconds and tokens per second."""
