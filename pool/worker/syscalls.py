"""The system calls that a worker may not make, with the reason and the number of each. Only data.

A list of what is refused and not of what is allowed: Deno, V8 and the C library change the calls
they make from version to version, and files, memory, time and threads are the business of
Landlock and of resource limits. Listed is what leads to other processes, to sockets, to the
kernel's wider surfaces and to what Landlock does not govern.

Numbers are (x86-64, aarch64); None where an architecture has no such call. From 424 on all
architectures count alike. Sources: asm/unistd_64.h, asm-generic/unistd.h.
"""

from __future__ import annotations

import errno
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

Numbers = tuple[int | None, int | None]


@dataclass(frozen=True, slots=True)
class Unless:
    """A call that is refused unless one argument is as it has to be.

    Attributes:
        argument: Position of the argument, from 0.
        mask: Bits of it that count.
        value: What those bits must be.
        reason: What the call could do otherwise.
    """

    argument: int
    mask: int
    value: int
    reason: str


@dataclass(frozen=True, slots=True)
class If:
    """A call that is refused if one argument, an `int` to the kernel, is one of some values.

    Attributes:
        argument: Position of the argument, from 0.
        values: What it must not be.
        reason: What the call could do then.
    """

    argument: int
    values: tuple[int, ...]
    reason: str


_CLONE_THREAD: Final = 0x00010000
_INT: Final = 0xFFFFFFFF
_POINTER: Final = 0xFFFFFFFFFFFFFFFF

# Refused with EPERM, by what they would allow.
DENIED: Final[Mapping[str, Mapping[str, Numbers]]] = MappingProxyType(
    {
        # Deno's signal thread talks to itself over a socketpair, with sendto and recvfrom: these
        # stay, and so a descriptor can neither be sent nor received.
        "reach the network, a Unix socket or another process's descriptors": {
            "socket": (41, 198),
            "connect": (42, 203),
            "bind": (49, 200),
            "listen": (50, 201),
            "accept": (43, 202),
            "accept4": (288, 242),
            "sendmsg": (46, 211),
            "sendmmsg": (307, 269),
            "recvmsg": (47, 212),
            "recvmmsg": (299, 243),
            "pidfd_getfd": (438, 438),
        },
        # A child would survive the kill of its worker. execve itself must stay open, because the
        # filter is there before Deno is; Landlock says what it may start, but does not look at
        # files that have no path.
        "start another process": {
            "fork": (57, None),
            "vfork": (58, None),
            "execveat": (322, 281),
            "memfd_create": (319, 279),
            "memfd_secret": (447, 447),
            "uselib": (134, None),
        },
        "signal another process": {
            "kill": (62, 129),
            "tkill": (200, 130),
            "rt_sigqueueinfo": (129, 138),
            "rt_tgsigqueueinfo": (297, 240),
            "pidfd_open": (434, 434),
            "pidfd_send_signal": (424, 424),
            "process_mrelease": (448, 448),
        },
        "look into another process or change it": {
            "ptrace": (101, 117),
            "process_vm_readv": (310, 270),
            "process_vm_writev": (311, 271),
            "process_madvise": (440, 440),
            "kcmp": (312, 272),
            "migrate_pages": (256, 238),
            "move_pages": (279, 239),
            "get_robust_list": (274, 100),
            "ioprio_set": (251, 30),
            "sched_setaffinity": (203, 122),
            "sched_setattr": (314, 274),
            "sched_setparam": (142, 118),
            "sched_setscheduler": (144, 119),
            "setpriority": (141, 140),
        },
        # Shared by everything of one uid, and no file that Landlock could see.
        "leave something for another worker": {
            "shmget": (29, 194),
            "shmat": (30, 196),
            "shmctl": (31, 195),
            "msgget": (68, 186),
            "msgsnd": (69, 189),
            "msgrcv": (70, 188),
            "msgctl": (71, 187),
            "semget": (64, 190),
            "semop": (65, 193),
            "semtimedop": (220, 192),
            "semctl": (66, 191),
            "mq_open": (240, 180),
            "mq_unlink": (241, 181),
            "add_key": (248, 217),
            "request_key": (249, 218),
            "keyctl": (250, 219),
        },
        # Landlock governs opening, making, moving and removing, but not these.
        "change a file's mode, owner, times or attributes, or watch files": {
            "chmod": (90, None),
            "fchmod": (91, 52),
            "fchmodat": (268, 53),
            "fchmodat2": (452, 452),
            "chown": (92, None),
            "lchown": (94, None),
            "fchown": (93, 55),
            "fchownat": (260, 54),
            "utime": (132, None),
            "utimes": (235, None),
            "futimesat": (261, None),
            "utimensat": (280, 88),
            "setxattr": (188, 5),
            "lsetxattr": (189, 6),
            "fsetxattr": (190, 7),
            "setxattrat": (463, 463),
            "removexattr": (197, 14),
            "lremovexattr": (198, 15),
            "fremovexattr": (199, 16),
            "removexattrat": (466, 466),
            "file_setattr": (469, 469),
            "truncate": (76, 45),
            "inotify_init": (253, None),
            "inotify_init1": (294, 26),
            "inotify_add_watch": (254, 27),
            "fanotify_init": (300, 262),
            "fanotify_mark": (301, 263),
            "name_to_handle_at": (303, 264),
            "open_by_handle_at": (304, 265),
        },
        # Where most holes of the last years were; io_uring would also make every other call of
        # this list without being seen by the filter.
        "use wide surfaces of the kernel": {
            "io_uring_setup": (425, 425),
            "io_uring_enter": (426, 426),
            "io_uring_register": (427, 427),
            "bpf": (321, 280),
            "perf_event_open": (298, 241),
            "userfaultfd": (323, 282),
            "personality": (135, 92),
            "modify_ldt": (154, None),
            "lookup_dcookie": (212, 18),
        },
        "change name spaces or mounts": {
            "unshare": (272, 97),
            "setns": (308, 268),
            "chroot": (161, 51),
            "pivot_root": (155, 41),
            "mount": (165, 40),
            "umount2": (166, 39),
            "open_tree": (428, 428),
            "open_tree_attr": (467, 467),
            "move_mount": (429, 429),
            "fsopen": (430, 430),
            "fsconfig": (431, 431),
            "fsmount": (432, 432),
            "fspick": (433, 433),
            "mount_setattr": (442, 442),
            "quotactl": (179, 60),
            "quotactl_fd": (443, 443),
        },
        "administer the machine": {
            "init_module": (175, 105),
            "finit_module": (313, 273),
            "delete_module": (176, 106),
            "kexec_load": (246, 104),
            "kexec_file_load": (320, 294),
            "reboot": (169, 142),
            "swapon": (167, 224),
            "swapoff": (168, 225),
            "acct": (163, 89),
            "syslog": (103, 116),
            "sethostname": (170, 161),
            "setdomainname": (171, 162),
            "settimeofday": (164, 170),
            "clock_settime": (227, 112),
            "adjtimex": (159, 171),
            "clock_adjtime": (305, 266),
            "vhangup": (153, 58),
            "iopl": (172, None),
            "ioperm": (173, None),
        },
    }
)

# Refused with EPERM unless an argument is harmless.
CONDITIONAL: Final[Mapping[str, tuple[Numbers, Unless]]] = MappingProxyType(
    {
        "clone": (
            (56, 220),
            Unless(0, _CLONE_THREAD, _CLONE_THREAD, "start a process instead of a thread"),
        ),
        "sendto": (
            (44, 206),
            Unless(4, _POINTER, 0, "reach any Unix socket from one end of a socketpair"),
        ),
        "prlimit64": (
            (302, 261),
            Unless(0, _INT, 0, "change the limits of another process"),
        ),
    }
)

# Refused with EPERM for some of what they do. The kernel itself signals the owner of a descriptor:
# only Landlock's scopes keep that inside, and not every kernel has them.
SELECTED: Final[Mapping[str, tuple[Numbers, If]]] = MappingProxyType(
    {
        "fcntl": (
            (72, 25),
            If(1, (8, 10, 15), "have another process signalled: F_SETOWN, F_SETSIG, F_SETOWN_EX"),
        ),
        "ioctl": (
            (16, 29),
            If(1, (0x8901, 0x8902), "have another process signalled: FIOSETOWN, SIOCSPGRP"),
        ),
        "prctl": (
            (157, 167),
            If(0, (1, 4, 36), "outlive the host, be traced, adopt: PDEATHSIG, DUMPABLE, SUBREAPER"),
        ),
    }
)

# Refused with EPERM, or like CONDITIONAL where Landlock keeps signals inside a worker: then
# abort() may end it by SIGABRT. Without that it ends by SIGSEGV, like a worker that crashed.
IF_SCOPED: Final[Mapping[str, tuple[Numbers, Unless]]] = MappingProxyType(
    {
        "tgkill": (
            (234, 131),
            Unless(2, _INT, signal.SIGABRT, "signal another process"),
        )
    }
)

# Refused with an error of their own. The flags of clone3 lie in memory, where a filter cannot
# look; on ENOSYS the C library makes its threads with clone.
FAILING: Final[Mapping[str, tuple[Numbers, int]]] = MappingProxyType(
    {"clone3": ((435, 435), errno.ENOSYS)}
)
