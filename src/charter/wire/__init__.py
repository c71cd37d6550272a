"""What the API sees: requests built and responses read. Pure; nothing here opens a connection."""
