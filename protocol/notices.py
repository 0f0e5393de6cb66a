"""What the server tells people besides events: the codes, each beside its words."""

from protocol.words import Worded


class NoticeCode(Worded):
    """The code of a `notice` message."""

    TIME_WARNING = ("time_warning", "The time limit of this race is near.", "這場比賽的時限快到了。")
    STORE_AWAY = (
        "store_away",
        "The server cannot save right now; your moves wait and nothing is lost.",
        "伺服器暫時無法儲存；你的動作會等待，不會遺失。",
    )
    STORE_BACK = ("store_back", "The server saves again.", "伺服器已恢復儲存。")
    SET_BACK = (
        "set_back",
        "The server had to go back to an older copy of its data; the latest moves or messages are lost.",
        "伺服器不得不退回較舊的資料；最近的動作或訊息已遺失。",
    )
    RESTARTING = (
        "restarting",
        "The server restarts; connect again after the given seconds.",
        "伺服器即將重新啟動；請在指定秒數後重新連線。",
    )
    REPLACED = (
        "replaced",
        "You connected again elsewhere; this connection ends.",
        "你已從別處重新連線；此連線將結束。",
    )
