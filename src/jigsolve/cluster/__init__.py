"""Work spread over the workers of a Dask cluster (extra `cluster`).

`address` says where, `connection` opens it and lets in who is the same as we are (`identity`),
`jobs` hands jobs to workers and gives those of a dead one to others.
"""
