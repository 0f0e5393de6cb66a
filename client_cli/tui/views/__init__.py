"""Views of the full screen: functions from the state to lines. Pure."""
