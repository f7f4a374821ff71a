from django.dispatch import Signal

# Sent by `services.erase` before its transaction: `person` (User) can still act for the last time. What fails here does
# not keep anybody from leaving.
person_leaves = Signal()

# Sent by `services.erase` inside its transaction, before the row goes: `person` (User). Whoever keeps anything that
# leads back to a person deletes it here; an exception stops the erasure as a whole.
person_erased = Signal()
