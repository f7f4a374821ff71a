"""Drafts as rulebooks on the kernel: one module or package each, with a `book` in it. No Django."""
