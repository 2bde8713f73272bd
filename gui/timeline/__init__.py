"""The timeline under the stage: marks, curves, the playhead, the buttons that play."""
