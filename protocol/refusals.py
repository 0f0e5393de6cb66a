"""Why an action of a racer was refused: the codes, each beside its rule in words."""

from protocol.words import Worded


class RefusalCode(Worded):
    """The reason in a `refused` message; nothing of the game has changed.

    The first group are rules of the game, the same codes as the engine's; the second are rules of the race.
    """

    NO_SUCH_COLUMN = ("no_such_column", "There are ten columns.", "一共只有十列。")
    SAME_COLUMN = ("same_column", "The cards are in that column already.", "牌已經在這一列。")
    EMPTY_SOURCE = ("empty_source", "That column is empty.", "這一列是空的。")
    BAD_COUNT = (
        "bad_count",
        "That column does not have so many cards to take.",
        "這一列沒有那麼多張牌可以拿。",
    )
    NOT_ONE_SUIT_DESCENDING = (
        "not_one_suit_descending",
        "Cards move together only if they descend one by one and are all of one suit.",
        "只有同花色且點數逐一遞減的牌才能一起移動。",
    )
    KING_NEEDS_EMPTY_COLUMN = (
        "king_needs_empty_column",
        "A king can only go to an empty column.",
        "國王只能放到空列。",
    )
    NOTHING_ON_ACE = ("nothing_on_ace", "Nothing goes on an ace.", "A 上面不能放任何牌。")
    RANK_MISMATCH = (
        "rank_mismatch",
        "A card goes on a card that is one rank higher.",
        "牌只能放在點數大一點的牌上。",
    )
    NO_PLACE = ("no_place", "No column can take these cards.", "沒有任何一列可以放這些牌。")
    NOTHING_TO_UNDO = (
        "nothing_to_undo",
        "There is nothing left to take back; only the last 100 actions can be.",
        "沒有可以復原的步驟；只能復原最後 100 步。",
    )
    GAME_OVER = ("game_over", "This game is won already.", "這一局已經完成。")

    NOT_RACING = (
        "not_racing",
        "You are not a racer of a running race; wait for the next one.",
        "你目前不在進行中的比賽裡；請等下一場。",
    )
    FORFEITED = (
        "forfeited",
        "You have given up this race; `undo` within 10 seconds takes that back.",
        "你已放棄這場比賽；10 秒內可以用復原取消放棄。",
    )
    TIME_UP = ("time_up", "The time of this race is over.", "這場比賽的時間已到。")
    WRONG_NUMBER = (
        "wrong_number",
        "Actions are numbered one by one; send the number that is expected.",
        "動作必須依序編號；請送出所期望的編號。",
    )
    NUMBER_TAKEN = (
        "number_taken",
        "Another action has this number already; ask for the game and go on from there.",
        "這個編號已經屬於另一個動作；請重新取得牌局再繼續。",
    )
    TOO_MANY_ACTIONS = (
        "too_many_actions",
        "This race allows 20,000 actions for each racer.",
        "每位玩家在一場比賽中最多 20,000 個動作。",
    )
    TOO_FAST = (
        "too_fast",
        "Too many messages; send this action again in a moment.",
        "訊息太多；請稍候再送出這個動作。",
    )
    STORE_AWAY = (
        "store_away",
        "The server cannot save right now; send this action again in a moment.",
        "伺服器暫時無法儲存；請稍候再送出這個動作。",
    )
