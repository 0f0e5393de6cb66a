"""The rooms that are loaded on a node: each has its log, its members' connections and its running race."""
