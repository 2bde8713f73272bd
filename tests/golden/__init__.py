"""Golden traces.

They hold for one order of additions: BLAS adds up products in the order that suits a processor, by
default.

Imported before numpy, it gives the order in which the traces were recorded, on every x86
processor with AVX2.
"""

import os
import platform

KERNELS, X86 = "Haswell", platform.machine() in ("x86_64", "AMD64")
if X86:
    os.environ.setdefault("OPENBLAS_CORETYPE", KERNELS)
