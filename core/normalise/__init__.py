"""From what the files say to runs: seconds, exact percentiles, one stage per level, one run per configuration."""
