"""Agreement on the shared clock: neither a clock that is set nor a machine that sleeps moves a race."""

from server.store import keys
from server.store.clock import SharedClock
from server.store.clock_agreement import ClockAgreement, has_jumped
from server.store.memory import MemoryStore

START_MS = 5_000_000


class World:
    """A store with a clock that can be set, in a time that passes when a test says so."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.set_by_ms = 0
        self.store = MemoryStore(self.store_ms)

    def store_ms(self) -> int:
        return START_MS + round(1000 * (self.now_s - 100.0)) + self.set_by_ms


class Node:
    """A node's clock; `slept_s` is what its monotonic clock lacks because the machine slept."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.slept_s = 0.0
        self.clock = SharedClock()
        self.agreement = ClockAgreement(world.store, self.clock, self.local_s)

    def local_s(self) -> float:
        return self.world.now_s - self.slept_s

    async def start(self) -> "Node":
        await self.agreement.read()
        await self.sync()
        return self

    async def sync(self) -> int:
        """Read the store's clock as `Journal.sync` does; return the shared time."""
        self.clock.observe(self.local_s(), self.local_s(), self.world.store_ms())
        await self.agreement.agree()
        return self.clock.at_ms(self.local_s())


async def test_all_nodes_go_on_when_the_store_s_clock_is_set() -> None:
    """The first node that notices says by how much; the others find that it is right for them too."""
    world = World()
    nodes = [await Node(world).start() for _ in range(3)]
    for set_by_ms in (3_600_000, -7_200_000, 86_400_000):
        world.set_by_ms = set_by_ms
        world.now_s += 2.0
        due = START_MS + round(1000 * (world.now_s - 100.0))
        assert [await node.sync() for node in nodes] == [due] * 3
        assert [node.clock.jumped for node in nodes] == [False] * 3
    assert await world.store.length(keys.clock_log()) == 3


async def test_a_node_that_starts_after_a_jump_has_the_time_of_the_others() -> None:
    world = World()
    old = await Node(world).start()
    world.set_by_ms = 60_000
    await old.sync()
    world.now_s += 5.0
    assert await (await Node(world).start()).sync() == await old.sync() == START_MS + 5_000


async def test_a_race_goes_on_without_the_time_that_its_only_machine_slept() -> None:
    """A laptop sleeps for an hour: the store's clock counts that hour, the monotonic clock does not."""
    world = World()
    node = await Node(world).start()
    world.now_s += 3_600.0
    node.slept_s = 3_600.0
    assert await node.sync() == START_MS
    world.now_s += 2.0
    assert await node.sync() == START_MS + 2_000


async def test_one_machine_that_slept_takes_over_the_time_of_the_others() -> None:
    """Its correction is overruled by a node that was awake; the time of the others never moves."""
    world = World()
    awake, other, sleeper = [await Node(world).start() for _ in range(3)]
    world.now_s += 60.0
    sleeper.slept_s = 60.0
    await sleeper.sync()
    for seconds in (62, 64):
        world.now_s = 100.0 + seconds
        assert [await awake.sync(), await other.sync()] == [START_MS + 1000 * seconds] * 2
        await sleeper.sync()
    assert await sleeper.sync() == START_MS + 64_000
    assert [node.clock.jumped for node in (awake, other, sleeper)] == [False] * 3


async def test_of_two_nodes_that_speak_at_once_one_is_heard() -> None:
    """Both have read the log before the first of them writes: the second finds it longer, and reads again."""
    world = World()
    one, two = [await Node(world).start() for _ in range(2)]
    world.set_by_ms = 5_000
    for node in (one, two):
        node.clock.observe(node.local_s(), node.local_s(), world.store_ms())
    await one.agreement.agree()
    await two.agreement.agree()
    assert await world.store.length(keys.clock_log()) == 1
    assert one.clock.at_ms(one.local_s()) == two.clock.at_ms(two.local_s()) == START_MS


async def test_a_jump_is_known_of_the_time_in_which_it_was() -> None:
    world = World()
    node = await Node(world).start()
    assert not await has_jumped(world.store, 0, 2 * START_MS)
    world.now_s += 10.0
    world.set_by_ms = 1_000
    jumped_at = await node.sync()
    assert await has_jumped(world.store, START_MS, jumped_at)
    assert not await has_jumped(world.store, START_MS, jumped_at - 1)
    assert not await has_jumped(world.store, jumped_at + 1, 2 * START_MS)
