"""The machine's clock as the kernel judges it: synchronised or not (adjtimex)."""
import contextlib
import ctypes

STATUS, MAX_ERROR = 0x0010, 0x0004  # what adjtimex is to change
UNSYNCHRONISED = 0x0040             # of the status
ERROR = 5                           # the kernel's answer for such a clock


class Timex(ctypes.Structure):
    """struct timex of <sys/timex.h>, as far as it is used."""
    _fields_ = [("modes", ctypes.c_uint), ("offset", ctypes.c_long), ("freq", ctypes.c_long),
                ("maxerror", ctypes.c_long), ("esterror", ctypes.c_long), ("status", ctypes.c_int),
                ("rest", ctypes.c_byte * 256)]


def adjtimex(state):
    return ctypes.CDLL(None).adjtimex(ctypes.byref(state))


@contextlib.contextmanager
def called_synchronised():
    """The kernel is told for a while that its clock is right, where it does not think so;
    afterwards it has its own opinion back. Gives False where one may not tell it."""
    before = Timex()
    if adjtimex(before) != ERROR and not before.status & UNSYNCHRONISED:
        yield True
        return
    told = Timex(modes=STATUS | MAX_ERROR, status=before.status & ~UNSYNCHRONISED, maxerror=1000)
    if adjtimex(told) < 0:
        yield False
        return
    try:
        yield True
    finally:
        adjtimex(Timex(modes=STATUS | MAX_ERROR, status=before.status, maxerror=before.maxerror))
