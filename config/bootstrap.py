"""From a bare clone to a running interpreter with the pinned packages: standard library only.

`ensure()` makes `.venv`, installs the requirements the command needs and re-executes the command in it. What is
installed is remembered as a hash of the requirements files, so a warm start costs one file read, and a pulled
change of a pin is installed by the next command.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
OLDEST = (3, 11)

# Commands that need the test tools as well; every other command runs with what production has.
DEV_COMMANDS = {"test", "bench", "processes"}


class CannotStart(SystemExit):
    """One sentence for the person at the terminal, and exit status 1."""

    def __init__(self, sentence: str) -> None:
        super().__init__(f"arbiter: {sentence}")


def ensure(argv: list[str]) -> None:
    """Return if this interpreter is ready for `argv`; otherwise make it so and never return."""
    if sys.version_info < OLDEST:
        wanted, found = ".".join(map(str, OLDEST)), ".".join(map(str, sys.version_info[:3]))
        raise CannotStart(f"needs Python {wanted} or newer, but this is {found} ({sys.executable}).")
    if os.environ.get("ARBITER_BOOTSTRAP") == "off":  # an image that brings its own packages
        return
    venv = Path(os.environ.get("ARBITER_VENV", HERE / ".venv"))
    install(venv, requirements_for(argv))
    if Path(sys.prefix).resolve() != venv.resolve():
        python = str(interpreter(venv))
        try:
            os.execv(python, [python, *argv])
        except OSError as error:
            raise CannotStart(f"cannot run {python} ({error.strerror}): remove {venv}, it is made anew.") from None


def requirements_for(argv: list[str]) -> Path:
    dev = len(argv) > 1 and argv[1] in DEV_COMMANDS
    return HERE / ("requirements-dev.txt" if dev else "requirements.txt")


def interpreter(venv: Path) -> Path:
    return venv / "bin" / "python"


def fingerprint(venv: Path, requirements: Path) -> str:
    """What an installation depends on: where it is (scripts name their interpreter), its Python, and every pin."""
    digest = hashlib.sha256(repr((str(venv.resolve()), sys.version_info[:2])).encode())
    for file in included(requirements):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def included(requirements: Path) -> list[Path]:
    nested = [
        requirements.parent / line.split(maxsplit=1)[1].strip()
        for line in requirements.read_text().splitlines()
        if line.startswith("-r ")
    ]
    return [requirements, *(file for one in nested for file in included(one))]


def install(venv: Path, requirements: Path) -> None:
    """Bring `venv` to the pins of `requirements`; nothing happens when the stamp says it was done."""
    if stamp(venv, requirements).exists():
        return
    make_venv(venv)
    say(f"installing {requirements.name} into {short(venv)} (about half a minute, only when the pins change)")
    started = subprocess.run(
        [interpreter(venv), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements],
        cwd=HERE,
    )
    if started.returncode:
        raise CannotStart(f"could not install {requirements.name}; pip says why above. Fix that and run it again.")
    for old in venv.glob(f".arbiter-{requirements.stem}-*"):
        old.unlink()
    for file in included(requirements):
        stamp(venv, file).touch()


def stamp(venv: Path, requirements: Path) -> Path:
    return venv / f".arbiter-{requirements.stem}-{fingerprint(venv, requirements)[:16]}"


def usable(venv: Path) -> bool:
    """Whether it is whole (an interrupted one has no pip) and where it was made (a moved one has broken scripts)."""
    configuration = venv / "pyvenv.cfg"
    if not (interpreter(venv).exists() and configuration.exists()):
        return False
    if str(venv.resolve()) not in configuration.read_text():
        return False
    return subprocess.run([interpreter(venv), "-c", "import pip"], capture_output=True).returncode == 0


def make_venv(venv: Path) -> None:
    if usable(venv):
        return
    try:
        import ensurepip  # noqa: F401
    except ImportError:
        raise CannotStart(
            "this Python has no `ensurepip`, so no virtual environment can be made; "
            "install it (Debian and Ubuntu: `apt install python3-venv`) or use another Python."
        ) from None
    say(f"making {short(venv)} with Python {'.'.join(map(str, sys.version_info[:3]))}")
    made = subprocess.run([sys.executable, "-m", "venv", "--clear", venv], capture_output=True, text=True)
    if made.returncode:
        reason = (made.stderr or made.stdout).strip().splitlines() or ["no reason given"]
        raise CannotStart(f"could not make {short(venv)}: {reason[-1]}")


def short(path: Path) -> str:
    return str(path.relative_to(HERE)) if path.is_relative_to(HERE) else str(path)


def say(sentence: str) -> None:
    print(f"arbiter: {sentence}", file=sys.stderr, flush=True)
