"""Progressive discovery: what finds and loads tools. Each module is imported by its own name."""
