"""Accuracy and speed of the product, measured as tables."""
