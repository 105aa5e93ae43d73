"""The parts of verify_bundle.py: Python's standard library and OpenSSL's, nothing else of the
house."""
