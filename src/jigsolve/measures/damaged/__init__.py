"""The learned measure's part for damaged borders: proposing seams, and scoring them."""
