"""Notice codes, each with its words."""

from protocol.words import Worded


class NoticeCode(Worded):
    """Code of a `notice` message."""

    TIME_WARNING = ("time_warning", "The time limit of this race is near.", "這場比賽的時限快到了。")
    STORE_UNAVAILABLE = (
        "store_unavailable",
        "The store does not answer. Your moves wait; nothing is lost.",
        "伺服器暫時無法儲存；你的動作會等待，不會遺失。",
    )
    STORE_AVAILABLE = ("store_available", "The store answers again.", "伺服器已恢復儲存。")
    ROLLED_BACK = (
        "rolled_back",
        "The store went back to an older copy of its data. The latest moves or messages are lost.",
        "伺服器不得不退回較舊的資料；最近的動作或訊息已遺失。",
    )
    RESTARTING = (
        "restarting",
        "The server restarts. Connect again in `retry_in_ms`.",
        "伺服器即將重新啟動；請在指定秒數後重新連線。",
    )
    REPLACED = (
        "replaced",
        "You connected again elsewhere. This connection ends.",
        "你已從別處重新連線；此連線將結束。",
    )
