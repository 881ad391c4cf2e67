"""Walls around the commands of skills: files, secrets and network as granted, whatever the command does (docs/walls.md)."""

from remit.guard.walls.logins import uses_login
from remit.guard.walls.service import REWRITES, Inside, Walls, held_writes, opening, walls_sentence

__all__ = ["REWRITES", "Inside", "Walls", "held_writes", "opening", "uses_login", "walls_sentence"]
