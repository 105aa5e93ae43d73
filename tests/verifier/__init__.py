"""The parts of verify_bundle.py: Python's standard library and the `openssl` command, nothing else
of the house."""
