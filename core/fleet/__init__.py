"""Capacity and a demand over time to whole replicas and a bill a month."""
