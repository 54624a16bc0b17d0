"""Plimsoll: how many concurrent requests a deployment carries within its targets."""

import os

VERSION = "0.1.0"

# Read once, when NumPy is imported. The matrices of the method are small: threads that share one wait for each
# other, and take 4 to 6 times the work of one thread; a server has other sessions for its other cores.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
