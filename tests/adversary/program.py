"""Runs the program, and decides whether what it did is allowed."""

import subprocess

# What sanitizers print when they find something; they also end the program with this status.
SANITIZER_STATUS = 86
SANITIZER_MARKS = ("AddressSanitizer", "LeakSanitizer", "UndefinedBehaviorSanitizer", "runtime error:")

ENVIRONMENT = {
    "ASAN_OPTIONS": f"exitcode={SANITIZER_STATUS}:allocator_may_return_null=1:detect_stack_use_after_return=1",
    "UBSAN_OPTIONS": f"exitcode={SANITIZER_STATUS}:halt_on_error=1:print_stacktrace=1",
}


class Finding(Exception):
    """The program did what it must never do."""


class Program:
    """One tacos, with the environment it is to have."""

    def __init__(self, path, environment):
        self.path = path
        self.environment = {**environment, **ENVIRONMENT, "NO_COLOR": "1"}

    def command(self, *arguments):
        return [self.path, *(str(argument) for argument in arguments)]

    def call(self, *arguments, text=None, allow_refusal=False, **environment):
        """Standard output; None if it was refused with a sentence, where that is allowed."""
        done = subprocess.run(
            self.command(*arguments),
            input=text,
            capture_output=True,
            text=True,
            errors="replace",
            env={**self.environment, **environment},
            check=False,
        )
        said = f"status {done.returncode}\n{done.stderr[-4000:]}"
        what = "tacos " + " ".join(map(str, arguments))
        if done.returncode < 0:
            raise Finding(f"{what}\nended by signal {-done.returncode}\n{said}")
        if done.returncode == SANITIZER_STATUS or any(mark in done.stderr for mark in SANITIZER_MARKS):
            raise Finding(f"{what}\nsanitizer\n{said}")
        control = [c for c in done.stdout + done.stderr if (ord(c) < 32 and c not in "\n\t") or 127 <= ord(c) < 160]
        if control:
            raise Finding(f"{what}\nraw control character {control[0]!r}\n{said}")
        if done.returncode == 0:
            return done.stdout
        if done.returncode not in (1, 2) or not done.stderr.startswith("tacos"):
            raise Finding(f"{what}\nno sentence for a failure\n{said}")
        if not allow_refusal:
            raise Finding(f"{what}\nrefused\n{said}")
        return None
