"""Plimsoll: how many concurrent requests a deployment carries within its targets."""

VERSION = "0.1.0"
