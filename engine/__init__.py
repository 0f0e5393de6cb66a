"""Simple Simon by itself: cards, deals, board, game and solver; pure, standard library only."""
