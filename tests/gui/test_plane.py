"""Zoom, pan, fit, snap, hover: what the plane does with the pointer itself."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from conftest import ALT, CTRL, MIDDLE, RIGHT, SHIFT

def test_first(lab):
    n = len(lab.data)
    lab.click(*lab.free_place())
    assert len(lab.data) == n + 1
