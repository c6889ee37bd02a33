"""Runs a command whose sockets may only have the given address families, as RestrictAddressFamilies of systemd does."""

import ctypes
import errno
import os
import platform
import socket
import struct
import sys

SOCKET_CALL = {"x86_64": 41, "aarch64": 198}[platform.machine()]
LOAD_NUMBER, LOAD_ARGUMENT, IF_EQUAL, RETURN = 0x20, 0x20, 0x15, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | errno.EAFNOSUPPORT

families = [getattr(socket, name) for name in sys.argv[1].split()]
instructions = [
    (LOAD_NUMBER, 0, 0, 0),
    (IF_EQUAL, 0, len(families) + 2, SOCKET_CALL),
    (LOAD_ARGUMENT, 0, 0, 16),
    *((IF_EQUAL, len(families) - at, 0, family) for at, family in enumerate(families)),
    (RETURN, 0, 0, REFUSE),
    (RETURN, 0, 0, ALLOW),
]
program = b"".join(struct.pack("HBBI", *one) for one in instructions)
filter_bytes = ctypes.create_string_buffer(program)


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


libc = ctypes.CDLL(None, use_errno=True)
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
pointer = ctypes.byref(Program(len(instructions), ctypes.addressof(filter_bytes)))
if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, pointer):
    sys.exit(os.strerror(ctypes.get_errno()))
os.execvp(sys.argv[2], sys.argv[2:])
