"""A race of four bots over real sockets, to look at: `make demo`."""
