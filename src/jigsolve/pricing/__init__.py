"""From a bag of pieces to a priced one."""
