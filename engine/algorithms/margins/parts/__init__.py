"""What kernel methods share: kernels and their parameters, the table as a kernel sees it, pictures
of both. AIMA 18.9.
"""

from typing import Annotated, Literal

from engine.authoring import Help, Label, Range, When

_KERNELS = (
    "linear: x·z. quadratic: (x·z)². polynomial: (1 + x·z)^d. rbf: exp(−γ|x − z|²), an extension."
)
_RBF = When("kernel", ("rbf",))

KernelName = Annotated[
    Literal["linear", "quadratic", "polynomial", "rbf"], Label("Kernel"), Help(_KERNELS)
]
Degree = Annotated[int, Range(1, 10), Label("Degree d"), When("kernel", ("polynomial",))]
Gamma = Annotated[
    float, Range(1e-4, 1e4, log=True), Label("Width γ"), Help("large: narrow bells"), _RBF
]
