"""One table for all games: docs/kernel.md is the reference, rulebook.py the contract. No Django here."""

from .agenda import on_top
from .apply import apply, fold
from .decide import Decided, anytime, decide, default_path, leave_by_default, new_table, preview, start, waiting
from .effects import from_dict, to_dict
from .errors import Rejected, RulebookError, Stuck
from .narrate import Teller
from .play import T
from .questions import Ask, assign, least, misfits, number, only_answer, pick, split
from .randomness import delay_ms
from .rulebook import May, Rulebook, Setup, Violation, names, register, rulebook
from .stops import auto_answer
from .table import (
    PUBLIC,
    Card,
    Outcome,
    Seat,
    Step,
    Table,
    Zone,
    bit,
    clone,
    decode,
    encode,
    faces,
    handles,
    mask,
    to_form,
)
from .views import part as part_view
from .views import redact, redact_all, view

__all__ = [
    "PUBLIC",
    "Ask",
    "Card",
    "Decided",
    "May",
    "Outcome",
    "Rejected",
    "Rulebook",
    "RulebookError",
    "Seat",
    "Setup",
    "Step",
    "Stuck",
    "T",
    "Table", "Teller",
    "Violation",
    "Zone",
    "anytime",
    "apply",
    "assign",
    "auto_answer",
    "bit",
    "clone",
    "decide",
    "decode",
    "default_path",
    "delay_ms",
    "encode",
    "faces",
    "fold",
    "from_dict",
    "handles",
    "least",
    "leave_by_default",
    "mask",
    "misfits",
    "names",
    "new_table",
    "number",
    "on_top",
    "only_answer",
    "part_view",
    "pick",
    "preview",
    "redact",
    "redact_all",
    "register",
    "rulebook",
    "split",
    "start",
    "to_dict",
    "to_form",
    "view",
    "waiting",
]
