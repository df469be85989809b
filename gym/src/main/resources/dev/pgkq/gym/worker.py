"""Steps environments for pgkq: reads frames from standard input, answers on what was standard output.

    worker.py NAME ARGUMENTS TIME_LIMIT [render]

NAME is gym:ID or python:MODULE:FACTORY, ARGUMENTS a JSON object for the constructor, TIME_LIMIT a number of steps or 0.
With "render", environments are made so that they draw pictures, if they can.
A frame is `P Q VERSION KIND`, the number of bytes that follow (int32), and these bytes. All numbers are little-endian.
"""

import faulthandler
import importlib
import json
import math
import os
import signal
import struct
import sys
import traceback
import zlib

VERSION = 2
TURN, LOOK = 1, 3
HELLO, ANSWER, ERROR = 11, 12, 13
CONTINUES, TERMINATED, TRUNCATED = 0, 1, 2
MOST_BYTES = 1 << 30
READ_AT_ONCE = 1 << 16
MOST_TEXT = 200  # longer texts in an info are left out
MOST_SHOWN = 64  # an observation of up to so many numbers is also the state of an environment that has no pgkq_state()
SUPPORTED_ACTIONS = "Box, Discrete, MultiDiscrete and MultiBinary"
SUPPORTED_OBSERVATIONS = "Box, Discrete, MultiDiscrete, MultiBinary, and Dict and Tuple of these"
DOING = ["import"]  # what is under way, for messages


class Fault(Exception):
    """An error whose message says everything."""


class Pipe:
    """The frames from and to pgkq. What the environment prints goes to standard error instead."""

    def __init__(self):
        self.source = os.dup(0)
        self.sink = os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        self.held = b""  # what was read ahead: mostly a whole frame at once

    def _read(self, count):
        while len(self.held) < count:
            part = os.read(self.source, max(READ_AT_ONCE, count - len(self.held)))
            if not part:
                return None
            self.held += part
        taken, self.held = self.held[:count], self.held[count:]
        return taken

    def receive(self):
        """The kind and the bytes of the next frame; None if pgkq closed the pipe."""
        header = self._read(8)
        if header is None:
            return None
        mark, version, kind, size = struct.unpack("<2sBBi", header)
        if mark != b"PQ" or version != VERSION or not 0 <= size <= MOST_BYTES:
            raise Fault("pgkq sent a frame that this worker does not know: %r" % header)
        body = self._read(size) if size else b""
        return None if body is None else (kind, body)

    def send(self, kind, body):
        frame = memoryview(struct.pack("<2sBBi", b"PQ", VERSION, kind, len(body)) + body)
        while frame:
            frame = frame[os.write(self.sink, frame) :]


def kind_of(space):
    """The name of the space's class; that of a base class if only that is known, so that no package is needed."""
    for each in type(space).__mro__:
        if each.__name__ in ("Box", "Discrete", "MultiDiscrete", "MultiBinary", "Dict", "Tuple"):
            return each.__name__
    return type(space).__name__


def whole(value):
    return int(np.asarray(value).reshape(-1)[0])


def counts(space):
    """The number of categories of each part of a MultiDiscrete, and their first numbers."""
    sizes = np.asarray(space.nvec, dtype=np.int64)
    first = getattr(space, "start", None)
    return sizes, np.zeros_like(sizes) if first is None else np.asarray(first, dtype=np.int64).reshape(sizes.shape)


def shape_of(space):
    shape = getattr(space, "shape", None)
    if shape is None:
        shape = np.shape(space.low) if hasattr(space, "low") else (int(space.n),)
    return tuple(int(size) for size in shape)


def one_hot(values, sizes, into):
    into[:] = 0
    at = 0
    for value, size in zip(values, sizes):
        if not 0 <= value < size:
            raise Fault("category %d is not in the observation space" % value)
        into[at + value] = 1
        at += size


def array_of(value, shape, name):
    array = np.asarray(value)
    if array.shape != shape:
        raise Fault("%s has the shape %s, but the observation space says %s" % (name, array.shape, shape))
    return array


def encoder(space):
    """The number of values of an observation, and a function that makes bytes of one: float32, in Gymnasium's order of flattening."""
    size, write = flattener(space)
    plain = shape_of(space) if kind_of(space) == "Box" and sys.byteorder == "little" else None
    single = np.dtype(np.float32)

    def encode(value):
        if type(value) is np.ndarray and value.shape == plain:  # the usual case
            return value.tobytes() if value.dtype is single else value.astype(single).tobytes()
        row = np.empty(size, dtype="<f4")
        write(value, row)
        return row.tobytes()

    return size, encode


def flattener(space, name="the observation"):
    """The number of values of an observation, and a function that writes one into an array."""
    kind = kind_of(space)
    if kind in ("Box", "MultiBinary"):
        shape = shape_of(space)
        flat = len(shape) == 1

        def write(value, into):
            if type(value) is not np.ndarray or value.shape != shape:
                value = array_of(value, shape, name)
            into[:] = value if flat else value.reshape(-1)

        return int(np.prod(shape, dtype=np.int64)), write
    if kind == "Discrete":
        size, first = int(space.n), int(getattr(space, "start", 0))
        return size, lambda value, into: one_hot([whole(value) - first], [size], into)
    if kind == "MultiDiscrete":
        sizes, first = counts(space)

        def write_all(value, into):
            array = array_of(value, sizes.shape, name)
            one_hot((array.astype(np.int64) - first).reshape(-1).tolist(), sizes.reshape(-1).tolist(), into)

        return int(sizes.sum()), write_all
    if kind in ("Dict", "Tuple"):
        spaces = space.spaces
        keys = list(spaces.keys()) if kind == "Dict" else list(range(len(spaces)))
        parts = [(key,) + flattener(spaces[key], "%s[%r]" % (name, key)) for key in keys]

        def write_parts(value, into):
            at = 0
            for key, size, write_part in parts:
                try:
                    part = value[key]
                except (KeyError, IndexError, TypeError):
                    raise Fault("%s has no entry %r, but the observation space has" % (name, key)) from None
                write_part(part, into[at : at + size])
                at += size

        return sum(size for _, size, _ in parts), write_parts
    raise Fault("observations of the space %s are not supported: %s are" % (kind, SUPPORTED_OBSERVATIONS))


def actor(space):
    """How pgkq describes the actions, their number, and a function that makes actions of rows of as many numbers."""
    kind = kind_of(space)
    if kind == "Box":
        shape, dtype = shape_of(space), np.dtype(getattr(space, "dtype", None) or np.float32)
        low = np.broadcast_to(np.asarray(space.low, dtype=np.float32), shape).reshape(-1)
        high = np.broadcast_to(np.asarray(space.high, dtype=np.float32), shape).reshape(-1)
        if not (np.isfinite(low).all() and np.isfinite(high).all()):
            raise Fault(
                "the action space has no bounds (%s): wrap the environment so that its actions have finite bounds,"
                " for example with gymnasium.wrappers.RescaleAction" % (space,)
            )
        described = struct.pack("<Bi", 0, low.size) + low.astype("<f4").tobytes() + high.astype("<f4").tobytes()
        if np.issubdtype(dtype, np.integer):
            return described, low.size, lambda rows: list(np.rint(rows).astype(dtype).reshape((-1,) + shape))
        if len(shape) == 1:
            return described, low.size, lambda rows: list(rows.astype(dtype))
        return described, low.size, lambda rows: list(rows.astype(dtype).reshape((-1,) + shape))
    if kind == "Discrete":
        sizes, first = [int(space.n)], int(getattr(space, "start", 0))
        act = lambda rows: (first + rows[:, 0].astype(np.int64)).tolist()  # noqa: E731
    elif kind == "MultiDiscrete":
        nvec, start = counts(space)
        sizes = nvec.reshape(-1).tolist()
        act = lambda rows: list(start + rows.astype(np.int64).reshape((-1,) + nvec.shape))  # noqa: E731
    elif kind == "MultiBinary":
        shape = shape_of(space)
        sizes = [2] * int(np.prod(shape, dtype=np.int64))
        act = lambda rows: list(rows.astype(np.int8).reshape((-1,) + shape))  # noqa: E731
    else:
        raise Fault("actions of the space %s are not supported: %s are" % (kind, SUPPORTED_ACTIONS))
    return struct.pack("<Bi%di" % len(sizes), 1, len(sizes), *sizes), len(sizes), act


def maker(name, arguments, time_limit):
    """A function that makes an environment."""
    scheme, _, what = name.partition(":")
    if scheme == "gym":
        gymnasium = required("gymnasium", "gymnasium")
        # this worker checks what the environment returns, at every step
        options = {"disable_env_checker": True}
        if time_limit:
            options["max_episode_steps"] = time_limit
        return lambda **more: gymnasium.make(what, **{**options, **arguments, **more})
    module_name, _, factory_name = what.partition(":")
    sys.path.insert(0, os.getcwd())
    factory = imported(module_name)
    for part in factory_name.split("."):
        if not hasattr(factory, part):
            raise Fault("the module %s has no %s" % (module_name, factory_name))
        factory = getattr(factory, part)
    return lambda **more: factory(**{**arguments, **more})


def bare(env):
    """The environment without Gymnasium's outermost wrappers: pgkq counts steps and resets first by itself."""
    for wrapper in ("TimeLimit", "OrderEnforcing"):
        if type(env).__name__ == wrapper and type(env).__module__.startswith("gymnasium.wrappers"):
            env = env.env
    return env


def imported(name):
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name is None:
            raise
        if (name + ".").startswith(missing.name + "."):
            hint = ": name the module, without .py" if name.endswith(".py") else ""
            raise Fault(
                "there is no module %s in %s, nor among the packages of %s%s"
                % (missing.name, os.getcwd(), sys.executable, hint)
            ) from None
        raise Fault(
            "the module %s needs %s, which %s does not have: install it, for example with\n  %s -m pip install %s"
            % (name, missing.name, sys.executable, sys.executable, missing.name.partition(".")[0])
        ) from None


def required(module, package):
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as missing:
        if missing.name != module:
            raise
        raise Fault(
            "%s has no %s: install it with\n  %s -m pip install %s" % (sys.executable, package, sys.executable, package)
        ) from None


class Slot:
    """One environment and what it said last."""

    __slots__ = ("env", "step", "spaces", "info")

    def __init__(self, env):
        self.env = env
        self.step = env.step
        self.spaces = None, None
        self.info = {}


class Later:
    """The generator of a space of actions until the environment draws from it, which few do: seeding takes as long as a step."""

    def __init__(self, space, seed):
        self.space = space
        self.seed = seed

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if self.space._np_random is self:
            self.space.seed(self.seed)
        return getattr(self.space._np_random, name)


def seed_actions(space, seed):
    """Makes what an environment draws from its space of actions a function of the seed."""
    if type(space).__module__.startswith("gymnasium.spaces") and hasattr(space, "_np_random"):
        space._np_random = Later(space, seed)
    elif hasattr(space, "seed"):
        space.seed(seed)


def plain(info):
    """The numbers, truth values and short texts of an info."""
    kept = {}
    for key, value in info.items() if isinstance(info, dict) else ():
        if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
            value = value.item()
        if isinstance(value, float) and not math.isfinite(value):
            value = None
        if value is None or isinstance(value, (bool, int, float)) or (isinstance(value, str) and len(value) <= MOST_TEXT):
            kept[str(key)] = value
    return kept


def png(picture):
    """A PNG file, with rows that are not filtered."""
    height, width, _ = picture.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)
    rows[:, 1:] = picture.reshape(height, -1)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    packed = zlib.compress(rows.tobytes(), 3)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")


class Worker:
    """The environments of this process."""

    def __init__(self, name, arguments, time_limit, rendering):
        self.make = maker(name, arguments, time_limit)
        self.slots = {}
        self.action_type = np.dtype("<f4")
        DOING[0] = "making the environment"
        first = self.make()
        self.renders = False
        if rendering:
            first = self.rendering(first)
        base = getattr(first, "unwrapped", first)
        self.own_limit = int(getattr(getattr(first, "spec", None), "max_episode_steps", None) or 0)
        for space in ("observation_space", "action_space"):
            if not hasattr(first, space):
                raise Fault("the environment has no %s" % space)
        self.observation_size, self.encode = encoder(first.observation_space)
        self.actions, self.action_size, self.act = actor(first.action_space)
        self.has_state = hasattr(first, "pgkq_state") or hasattr(base, "pgkq_state")
        self.state_size = 0
        self.checked_here = name.startswith("gym:") and self.own_limit > 0 and time_limit in (0, self.own_limit)
        self.add(0, first)
        if self.has_state:
            self.restart(self.slots[0], 0)
            self.state_size = len(self.state(self.slots[0]))

    def add(self, number, env):
        self.slots[number] = Slot(bare(env) if self.checked_here else env)

    def rendering(self, env):
        """The environment, made again if it has to be told to draw pictures; finds out whether it does."""
        metadata = getattr(env, "metadata", None)
        if getattr(env, "render_mode", None) == "rgb_array" or not isinstance(metadata, dict):
            self.renders = hasattr(env, "render")
            return env
        self.renders = "rgb_array" in metadata.get("render_modes", ())
        if not self.renders:
            return env
        try:
            drawing = self.make(render_mode="rgb_array")
        except TypeError as error:
            if "render_mode" not in str(error):
                raise
            return env  # its render() may not need to be told
        make = self.make
        self.make = lambda: make(render_mode="rgb_array")
        if hasattr(env, "close"):
            env.close()
        return drawing

    def look(self, body):
        """What an environment says and shows now."""
        number, says, shows = struct.unpack("<iBB", body)
        slot = self.slots[number]
        info = json.dumps(plain(slot.info)).encode() if says else b""
        metadata = getattr(slot.env, "metadata", None)
        per_second = float(metadata.get("render_fps") or 0) if isinstance(metadata, dict) else 0.0
        return struct.pack("<di", per_second, len(info)) + info + (self.picture(slot.env) if shows and self.renders else b"")

    def picture(self, env):
        DOING[0] = "render"
        picture = env.render()
        if not isinstance(picture, np.ndarray):
            found = brief(picture)
        elif picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8 or picture.size == 0:
            found = "an array of shape %s and type %s" % (picture.shape, picture.dtype)
        else:
            return png(picture)
        raise Fault("render must return an array of height × width × 3 numbers of type uint8, but returned %s" % found)

    def hello(self):
        shown = self.state_size if self.has_state else self.observation_size if self.observation_size <= MOST_SHOWN else 0
        return struct.pack("<ii?i", self.observation_size, shown, self.has_state, self.own_limit) + self.actions

    def state(self, slot):
        env = slot.env if hasattr(slot.env, "pgkq_state") else slot.env.unwrapped
        return np.asarray(env.pgkq_state(), dtype=np.float64).reshape(-1)

    def restart(self, slot, seed):
        DOING[0] = "reset"
        self.require_same_spaces(slot)
        seed_actions(slot.spaces[1], seed)
        result = slot.env.reset(seed=seed)
        if not (isinstance(result, tuple) and len(result) == 2):
            raise Fault("reset must return (observation, info), but returned %s" % brief(result))
        slot.info = result[1]
        return self.encode(result[0])

    def require_same_spaces(self, slot):
        """Requires the spaces of the first environment: each may have objects of its own, which are rarely replaced."""
        spaces = slot.env.observation_space, slot.env.action_space
        if spaces[0] is not slot.spaces[0] and encoder(spaces[0])[0] != self.observation_size:
            raise Fault("the environment changed its observation space, to %s" % brief(spaces[0]))
        if spaces[1] is not slot.spaces[1] and actor(spaces[1])[0] != self.actions:
            raise Fault("the environment changed its action space, to %s" % brief(spaces[1]))
        slot.spaces = spaces

    def turn(self, body):
        """Steps some of the environments, starts new episodes in others, and describes where that led."""
        stepped, started = struct.unpack_from("<ii", body)
        first = 8 + 4 * stepped
        last = first + 4 * stepped * self.action_size
        require_size(body, last + 12 * started)
        numbers = struct.unpack_from("<%di" % stepped, body, 8)
        restarted = struct.unpack_from("<%di" % started, body, last)
        observations, rewards, states, ends = [], [], [], bytearray(stepped)
        if stepped:
            rows = np.frombuffer(body, self.action_type, stepped * self.action_size, first)
            actions = self.act(rows.reshape(stepped, self.action_size))
            self.step(numbers, actions, observations, rewards, states, ends)
        for number, seed in zip(restarted, struct.unpack_from("<%dq" % started, body, last + 4 * started)):
            if number not in self.slots:
                DOING[0] = "making the environment"
                self.add(number, self.make())
            observations.append(self.restart(self.slots[number], seed))
            rewards.append(0.0)
            if self.has_state:
                states.append(self.checked_state(self.slots[number]))
        return b"".join((*observations, numbers_of(rewards), *states, ends))

    def step(self, numbers, actions, observations, rewards, states, ends):
        """One step of each. Whether all numbers are finite is checked by pgkq, for which that is cheaper."""
        DOING[0] = "step"
        slots, encode, has_state = self.slots, self.encode, self.has_state
        for i, (number, action) in enumerate(zip(numbers, actions)):
            slot = slots[number]
            result = slot.step(action)
            if not (isinstance(result, tuple) and len(result) == 5):
                raise Fault(
                    "step must return (observation, reward, terminated, truncated, info), but returned %s" % brief(result)
                )
            observation, reward, terminated, truncated, slot.info = result
            rewards.append(reward)
            # copied at once: some environments write the next observation into the same array
            observations.append(encode(observation))
            if terminated:
                ends[i] = TERMINATED
            elif truncated:
                ends[i] = TRUNCATED
            if has_state:
                states.append(self.checked_state(slot))
                DOING[0] = "step"

    def checked_state(self, slot):
        DOING[0] = "pgkq_state"
        state = self.state(slot)
        if len(state) != self.state_size:
            raise Fault("pgkq_state() returned %d numbers, then %d" % (self.state_size, len(state)))
        return state.astype("<f8").tobytes()

    def close(self):
        for slot in self.slots.values():
            if hasattr(slot.env, "close"):
                slot.env.close()


def numbers_of(rewards):
    try:
        return struct.pack("<%dd" % len(rewards), *rewards)
    except (struct.error, TypeError, ValueError):
        return struct.pack("<%dd" % len(rewards), *map(number_of, rewards))


def number_of(reward):
    try:
        return float(reward)
    except (TypeError, ValueError):
        raise Fault("the reward is no number: step returned %s" % brief(reward)) from None


def require_size(body, size):
    if len(body) != size:
        raise Fault("pgkq sent a frame of %d bytes instead of %d" % (len(body), size))


def brief(value):
    text = "%s of %d entries" % (type(value).__name__, len(value)) if isinstance(value, tuple) else repr(value)
    return text if len(text) <= 60 else text[:60] + "…"


def described(error):
    """What went wrong, in Python's own last lines; without those of this file."""
    if isinstance(error, Fault):
        return str(error)
    frames = [each for each in traceback.extract_tb(error.__traceback__) if each.filename != __file__]
    frames = [each for each in frames if "importlib" not in each.filename]
    if type(error).__module__ == "gymnasium.error":
        frames = []  # its message says everything
    lines = "".join(traceback.format_list(frames[-3:])).rstrip()
    last = "".join(traceback.format_exception_only(type(error), error)).strip()
    return "%s failed: %s%s" % (DOING[0], last, "\n" + lines if lines else "")


def main():
    pipe = Pipe()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches pgkq, which decides when to stop
    faulthandler.enable()
    if hasattr(faulthandler, "register"):
        faulthandler.register(signal.SIGTERM, all_threads=False, chain=True)  # shows where a worker hangs
    worker = None
    try:
        global np
        np = required("numpy", "numpy")
        worker = Worker(sys.argv[1], json.loads(sys.argv[2]), int(sys.argv[3]), sys.argv[4:] == ["render"])
        pipe.send(HELLO, worker.hello())
        while True:
            frame = pipe.receive()
            if frame is None:
                return
            kind, body = frame
            if kind == TURN:
                pipe.send(ANSWER, worker.turn(body))
            elif kind == LOOK:
                pipe.send(ANSWER, worker.look(body))
            else:
                raise Fault("pgkq sent a frame of unknown kind %d" % kind)
    except BrokenPipeError:
        return
    except Exception as error:
        traceback.print_exc()
        pipe.send(ERROR, described(error).encode())
    finally:
        if worker:
            worker.close()


main()
