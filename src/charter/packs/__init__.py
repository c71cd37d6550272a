"""The packs that come with Charter, one folder per vendor.

Not here: anything a pack needs beyond the front door of `charter`.
"""
