"""What algorithms, runs and pictures are made of."""

import os

# Before numpy is imported: products of matrices are small here, and threads that wait for one another take the core that
# the window needs. The same thread adds up the same numbers on every machine, whatever cores it has.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
