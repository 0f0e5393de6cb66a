"""The rooms that live on this node: each writes its log, holds its members' connections and its games."""
