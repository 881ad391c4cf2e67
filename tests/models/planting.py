"""What the small room that acts may do by itself."""

from self_analysis.doors import EVERY_ROOM, OwnEffect, own_effects

TABLE = OwnEffect("acting", "file.read", "$SKILL/remit/acting/data/*", "remit/core/table.py", "our own table", "own:1")
OWN = (TABLE, *(row for row in own_effects() if row.room == EVERY_ROOM))
