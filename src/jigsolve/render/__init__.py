"""Pictures of a solution beyond the solution itself: films and overlays."""

from jigsolve.render.film import check_film_name, write_film
from jigsolve.render.overlay import check_overlay, draw_overlay, write_overlay

__all__ = ["check_film_name", "check_overlay", "draw_overlay", "write_film", "write_overlay"]
