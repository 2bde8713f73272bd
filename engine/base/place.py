"""Where the lab is installed, and the command that starts it."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]  # the folder that holds engine, gui and assets
ASSETS = ROOT / "assets"
INSTALLED = (ROOT / "__init__.py").exists() or getattr(
    sys, "frozen", False
)  # as a package or program, not as a checkout
PROGRAM = "learnscope" if INSTALLED else "main.py"  # the command as sentences name it
