"""The app on the network: its entry, what stands before every request, and what watches over it."""
