"""The figures that README quotes, measured: `python -m bench` runs every module here and prints one table.

A module here has `rows()`; what a row is, is in table.py.
"""
