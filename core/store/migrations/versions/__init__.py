"""One file for each change of the tables. A released one is never edited."""
