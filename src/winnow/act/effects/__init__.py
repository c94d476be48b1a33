"""What commands make of the states of a device: expected, shown, repeated, taken back.

Pure; the tables are data.
"""
