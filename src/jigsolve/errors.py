"""The one exception users see."""


class InputError(ValueError):
    """Something given by the user cannot be used; the message says what and why."""
