"""Notice codes, each with its sentence."""

from protocol.words import Worded


class NoticeCode(Worded):
    """Code of a `notice` message."""

    TIME_WARNING = ("time_warning", "The time limit of this race is near.", "這場比賽的時限快到了。")
    STORE_UNAVAILABLE = (
        "store_unavailable",
        "The server's store does not answer. Your actions wait; nothing is lost.",
        "伺服器暫時無法儲存；你的動作會等待，不會遺失。",
    )
    STORE_AVAILABLE = ("store_available", "The server's store answers again.", "伺服器已恢復儲存。")
    ROLLED_BACK = (
        "rolled_back",
        "The server's store lost its latest data. The latest actions or messages are gone.",
        "伺服器的儲存遺失了最新的資料；最近的動作或訊息已不在。",
    )
    RESTARTING = (
        "restarting",
        "The server is restarting. Connect again in a moment.",
        "伺服器即將重新啟動；請稍候再重新連線。",
    )
    REPLACED = (
        "replaced",
        "You connected from elsewhere. This connection ends.",
        "你已從別處重新連線；此連線將結束。",
    )
