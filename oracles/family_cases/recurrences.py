"""Recurrences, and hybrids of them with attention."""

cases = {}
