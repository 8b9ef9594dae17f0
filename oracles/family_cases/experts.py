"""Mixtures of experts."""

cases = {}
