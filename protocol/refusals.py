"""Refusal codes of actions, each with its rule as a sentence."""

from protocol.words import Worded


class RefusalCode(Worded):
    """Reason in a `refused` message. The game did not change.

    The first group are the rules of the game, under the engine's codes; the second are the rules of a race.
    """

    NO_SUCH_COLUMN = ("no_such_column", "There are ten columns.", "一共只有十欄。")
    SAME_COLUMN = ("same_column", "The cards are already in that column.", "牌已經在這一欄。")
    EMPTY_SOURCE = ("empty_source", "That column is empty.", "這一欄是空的。")
    BAD_CARDS = (
        "bad_cards",
        "That column does not have that many cards.",
        "這一欄沒有那麼多張牌。",
    )
    NOT_ONE_SUIT_DESCENDING = (
        "not_one_suit_descending",
        "Cards move together only if they have one suit and descending ranks without a gap.",
        "只有同花色且點數逐一遞減的牌才能一起移動。",
    )
    KING_NEEDS_EMPTY_COLUMN = (
        "king_needs_empty_column",
        "A king can only go to an empty column.",
        "K 只能移到空欄。",
    )
    NOTHING_ON_ACE = ("nothing_on_ace", "No card can go on an ace.", "A 上面不能放任何牌。")
    RANK_MISMATCH = (
        "rank_mismatch",
        "A card goes on a card one rank higher.",
        "牌只能放在點數大一級的牌上。",
    )
    NO_PLACE = ("no_place", "No column can take these cards.", "沒有任何一欄可以放這些牌。")
    NOTHING_TO_UNDO = (
        "nothing_to_undo",
        "There is nothing to undo. Only the last 100 moves can be undone.",
        "沒有可以復原的步驟；只能復原最後 100 步。",
    )
    GAME_OVER = ("game_over", "This game is already won.", "這一局已經完成。")

    NOT_RACING = (
        "not_racing",
        "You have no game in a running race. Wait for the next race.",
        "你目前不在進行中的比賽裡；請等下一場。",
    )
    FORFEITED = (
        "forfeited",
        "You forfeited this race. You can undo the forfeit within 10 seconds.",
        "你已放棄這場比賽；10 秒內可以用復原取消放棄。",
    )
    TIME_UP = ("time_up", "The time limit of this race has passed.", "這場比賽的時間已到。")
    WRONG_NUMBER = (
        "wrong_number",
        "This is not the expected action number. Send the expected one.",
        "動作必須依序編號；請送出所期望的編號。",
    )
    NUMBER_TAKEN = (
        "number_taken",
        "A different action already has this number. Get the game and continue from it.",
        "這個編號已經屬於另一個動作；請重新取得牌局再繼續。",
    )
    TOO_MANY_ACTIONS = (
        "too_many_actions",
        "A racer can send at most 20,000 actions in a race.",
        "每位玩家在一場比賽中最多 20,000 個動作。",
    )
    WRONG_RACE = (
        "wrong_race",
        "This action is for a race that is not running. It was not carried out.",
        "這個動作屬於另一場比賽；它沒有執行，也不會再執行。",
    )
    RACE_FORGOTTEN = (
        "race_forgotten",
        "The server no longer knows whether this action was accepted. See the record of the race.",
        "伺服器已無法得知這個動作是否被接受；請查看該場比賽的紀錄。",
    )
    BUSY = (
        "busy",
        "The server is overloaded. Send this action again in a moment.",
        "伺服器忙碌中；請稍候再送出這個動作。",
    )
    RATE_LIMITED = (
        "rate_limited",
        "Too many messages. Send this action again in a moment.",
        "訊息太多；請稍候再送出這個動作。",
    )
    STORE_UNAVAILABLE = (
        "store_unavailable",
        "The server's store does not answer. Send this action again in a moment.",
        "伺服器暫時無法儲存；請稍候再送出這個動作。",
    )
