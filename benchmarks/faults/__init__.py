"""Does Plimsoll notice what is wrong with a file? Clean sweeps with one fault planted in each copy."""
