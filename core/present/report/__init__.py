"""What is sent to others: the one-page memo, spreadsheets, slides and plain data."""
