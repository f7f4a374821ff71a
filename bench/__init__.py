"""Measurements, each in one run side by side with its yardstick: `python3 manage.py bench NAME`."""
