"""How fast the lab is, beside its limits and its peers."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the engine does, where it is imported before numpy
