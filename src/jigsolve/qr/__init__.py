"""QR codes: pieces are placed by what is known of a code, not by seams."""
