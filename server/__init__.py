"""The Simon Race server. `core` decides; the other packages store, send and receive."""
