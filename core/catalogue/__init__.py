"""Facts about hardware and prices, each with its source and date; nothing here is an answer."""
