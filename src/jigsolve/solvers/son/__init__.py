"""Son, Hays and Cooper's loops of loops."""
