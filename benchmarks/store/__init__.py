"""What the store keeps when things break: kills, and many who save at once."""
