"""Exact-truth crokinole scenes: a description goes in, a picture and its truth come out."""
