"""Demo: a race of four bots over real sockets, started by `make demo`."""
