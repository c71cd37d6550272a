"""What the model sees: views, JSON Schema and what they cost. Pure; nothing here opens a connection."""
