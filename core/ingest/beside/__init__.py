"""What tools write beside their results, by tool: each module lists BY_PRODUCTS."""
