"""The mode “Predict”: the person says what comes next before it is shown."""
