"""The workers for many files or games: processes of this machine, or an executor elsewhere."""
