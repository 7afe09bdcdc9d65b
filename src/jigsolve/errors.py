"""The exceptions users see."""


class InputError(ValueError):
    """Something given by the user cannot be used; the message says what and why."""


class NoRoomError(InputError):
    """There is less memory than something would take."""


class NoBoardError(InputError):
    """Tiles fill no board, or it is not clear which."""


class NoPictureError(InputError):
    """A file is of another kind than pictures."""


class OddSizeError(InputError):
    """A picture is not a whole number of pieces."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, with something to say of what was kept."""
