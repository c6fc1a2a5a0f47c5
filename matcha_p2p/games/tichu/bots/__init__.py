"""Bots of Tichu: each sees an Observation and answers with a Move."""
