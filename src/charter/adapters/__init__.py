"""One file for each model loop that a session drops into. None is imported by the rest of Charter."""
