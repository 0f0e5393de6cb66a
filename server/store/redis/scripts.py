"""Lua scripts that run inside Redis: they make operations atomic and contain no rules of the game.

They use no feature newer than Redis 6.2 and keep no state between calls.
"""

COMMIT = """\
-- ARGV: prefix; head, as MessagePack; body, all entries and payloads end to end.
-- head: for each commit its rows; a row is {inbox, size of payload} or {log, expected length, sizes of
-- entries}, the latter with a fourth element, the log's time to live in seconds, if it has one.
-- Returns the time in ms, then three numbers for each refused commit: its index, the row's index, the
-- length found; indices start at 1.
local prefix, head, body = ARGV[1], cmsgpack.unpack(ARGV[2]), ARGV[3]
local time = redis.call('TIME')
local reply = {time[1] * 1000 + math.floor(time[2] / 1000)}
local place = 1
local stale = {}

local function take(size)
  local from = place
  place = place + size
  return string.sub(body, from, place - 1)
end

local function refused(rows)
  for r, row in ipairs(rows) do
    if #row > 2 then
      local length = redis.call('LLEN', prefix .. row[1])
      if length ~= row[2] or stale[row[1]] then
        return r, length
      end
    end
  end
end

local function skip(rows)
  for _, row in ipairs(rows) do
    if #row == 2 then
      place = place + row[2]
    else
      stale[row[1]] = true
      for _, size in ipairs(row[3]) do
        place = place + size
      end
    end
  end
end

local function push(key, sizes)
  local call = {'RPUSH', key}
  for s, size in ipairs(sizes) do
    call[#call + 1] = take(size)
    if #call == 1000 or s == #sizes then -- unpack() takes only some thousands
      redis.call(unpack(call))
      call = {'RPUSH', key}
    end
  end
end

for c, rows in ipairs(head) do
  local row, length = refused(rows)
  if row then
    reply[#reply + 1] = c
    reply[#reply + 1] = row
    reply[#reply + 1] = length
    skip(rows)
  else
    for _, made in ipairs(rows) do
      if #made == 2 then
        redis.call('PUBLISH', prefix .. made[1], take(made[2]))
      else
        push(prefix .. made[1], made[3])
        if made[4] then
          redis.call('EXPIRE', prefix .. made[1], made[4])
        end
      end
    end
  end
end
return reply
"""

POST = """\
-- KEYS: leaderboard, details. ARGV: value, lower is better; member; detail; most rows; time to live in s.
local changed = redis.call('ZADD', KEYS[1], 'LT', 'CH', ARGV[1], ARGV[2])
if changed == 1 then
  redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
  for _, member in ipairs(redis.call('ZRANGE', KEYS[1], ARGV[4], -1)) do
    redis.call('ZREM', KEYS[1], member)
    redis.call('HDEL', KEYS[2], member)
    if member == ARGV[2] then
      changed = 0
    end
  end
end
redis.call('EXPIRE', KEYS[1], ARGV[5])
redis.call('EXPIRE', KEYS[2], ARGV[5])
return changed
"""

TOP = """\
-- KEYS: leaderboard, details. ARGV: index of the last row. Returns member, value, detail for each row.
local reply = {}
local rows = redis.call('ZRANGE', KEYS[1], 0, ARGV[1], 'WITHSCORES')
for i = 1, #rows, 2 do
  reply[#reply + 1] = rows[i]
  reply[#reply + 1] = rows[i + 1]
  reply[#reply + 1] = redis.call('HGET', KEYS[2], rows[i]) or ''
end
return reply
"""

UNSCHEDULE = """\
-- KEYS: schedule. ARGV: item; latest time at which it is removed.
local at = redis.call('ZSCORE', KEYS[1], ARGV[1])
if at and tonumber(at) <= tonumber(ARGV[2]) then
  return redis.call('ZREM', KEYS[1], ARGV[1])
end
return 0
"""
