"""Where the lab is on this machine, and by which name it is started."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]  # the folder that holds engine, gui and assets
ASSETS = ROOT / "assets"
INSTALLED = (ROOT / "__init__.py").exists() or getattr(
    sys, "frozen", False
)  # as a package or program, not as a checkout
PROGRAM = "learnscope" if INSTALLED else "main.py"  # as sentences name it that advise a command
