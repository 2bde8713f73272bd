"""Questions for a course: sheets of exercises about a run, as a worksheet, as Moodle XML and as
text for text2qti.
"""

from engine.courses.exercises import Exercise
from engine.courses.moodle import moodle_xml
from engine.courses.qti import text2qti_text
from engine.courses.sheets import Assignment, Sheet, Stopped, sheets

__all__ = ["Assignment", "Exercise", "Sheet", "Stopped", "moodle_xml", "sheets", "text2qti_text"]
