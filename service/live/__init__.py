"""The live feed: every change of a table to everyone who watches it. Start at `service.live.hub.Feed`."""
