"""Exports of a run that are drawn without a window: pictures, films, handouts, worksheets."""
