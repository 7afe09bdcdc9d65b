"""Files: pictures, archives, tiles; whole or not at all."""
