from django.dispatch import Signal

# Sent by `services.erase` inside its transaction, before the row goes: `person` (User). Whoever keeps anything that
# leads back to a person deletes it here; an exception stops the erasure as a whole.
person_erased = Signal()
