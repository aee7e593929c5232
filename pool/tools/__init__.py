"""What a program may call: tools, the snapshot of them that a run sees, and one call's way."""
