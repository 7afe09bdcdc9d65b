"""Yu, Russell and Agapito's linear programmes."""
