"""How fast the lab is, beside its limits and its peers."""

import os

# as the engine does, where it is imported before numpy
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# else a thread of a peer that has done its part waits at full speed, while it is our turn, whose
# time that would be
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
