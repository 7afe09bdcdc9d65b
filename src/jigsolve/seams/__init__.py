"""What seams cost: the table every solver reads, and how far its costs are believed."""
