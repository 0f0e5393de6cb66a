"""Store on Redis or Valkey: a single server or a cluster."""
