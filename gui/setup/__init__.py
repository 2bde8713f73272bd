"""The dock at the left: data, method, parameters, and the pickers."""
