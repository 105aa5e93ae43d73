"""verify_bundle.py and verify_archive.py in this process, for tests that ask about many files: a
Python for each costs more than the verdict.

An exception that the programs do not take for a refusal goes through and fails the test."""
import contextlib
import io
import os
import subprocess
import sys

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import verify_archive  # noqa: E402
import verify_bundle  # noqa: E402


def _asked(main, arguments):
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        code = main([str(one) for one in arguments])
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), errors.getvalue())


def bundle(*arguments):
    """`verify_bundle.py ARGUMENTS`, as subprocess.run gives it. Not from two threads at once."""
    return _asked(verify_bundle.main, arguments)


def archive(*arguments):
    """`verify_archive.py ARGUMENTS`, the same way."""
    return _asked(verify_archive.main, arguments)
