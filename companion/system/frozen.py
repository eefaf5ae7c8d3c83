"""Frozen dataclasses that cost next to nothing until they are used.

`dataclasses.dataclass` writes and compiles six functions for each class that it makes: of the 340
milliseconds that the table's page took to open a third went into the methods of three hundred
kinds, most of which no race of an evening ever makes. Here fields, slots and defaults are the
standard library's; `__init__`, `==` and `hash` are compiled when they are called first.

Records that were kept as a pickle are read back by `RecordReader`, whoever wrote the file.
"""

from __future__ import annotations

import dataclasses
import pickle
import re
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:  # the same to a reader, and what mypy knows
    from dataclasses import dataclass as dataclass
else:
    MISSING = object()

    def dataclass(kind=None, /, *, frozen=False, eq=True, kw_only=False, slots=False):
        """Make a class a dataclass, as `dataclasses.dataclass` does.

        >>> @dataclass(frozen=True, slots=True)
        ... class Die:
        ...     low: int
        ...     high: int = 6
        >>> Die(1), Die(1) == Die(low=1, high=6), len({Die(1), Die(1)})
        (Die(low=1, high=6), True, 1)
        >>> Die(1).low = 2
        Traceback (most recent call last):
        dataclasses.FrozenInstanceError: cannot assign to field 'low'
        >>> Die(1, 2, 3)
        Traceback (most recent call last):
        TypeError: Die.__init__() takes from 2 to 3 positional arguments but 4 were given
        """

        def make(kind):
            if not frozen:
                return dataclasses.dataclass(eq=eq, kw_only=kw_only, slots=slots)(kind)
            return _frozen(kind, eq=eq, kw_only=kw_only, slots=slots)

        return make if kind is None else make(kind)

    def _frozen(kind, *, eq, kw_only, slots):
        own = set(vars(kind))
        kind.__doc__ = kind.__doc__ or kind.__name__  # or a signature is worked out for it
        kind = dataclasses.dataclass(
            init=False, repr=False, eq=False, kw_only=kw_only, slots=slots
        )(kind)
        wanted = {"__init__": True, "__eq__": eq, "__hash__": eq, "__setstate__": slots}
        methods = {name: _when_used(kind, name) for name in WRITTEN if wanted[name]}
        methods |= {"__repr__": _repr, "__setattr__": _refuse_set, "__delattr__": _refuse_delete}
        if slots:
            methods |= {"__getstate__": _getstate}
        for name, method in methods.items():
            if name not in own:
                setattr(kind, name, method)
        return kind

    def _when_used(kind, name):
        """A method that compiles itself when it is called, and goes on with that."""

        def first(self, /, *values, **named):
            line, known = WRITTEN[name](dataclasses.fields(kind), kind)
            exec(line, known)
            made = known[name]
            made.__qualname__ = f"{kind.__qualname__}.{name}"
            # In its own place: from the second call on there is no detour.
            setattr(kind, name, made)
            return made(self, *values, **named)

        return first

    def _init(fields, kind):
        known, body = {"_missing": MISSING}, []
        own = []  # what has no slot; kept all at once, at half the work of one by one
        words = {False: ["self"], True: []}
        for one in fields:
            name, default = one.name, one.default
            value = name if one.init else f"_of_{name}"
            word = f"{name}=_of_{name}"
            if default is dataclasses.MISSING and one.default_factory is not dataclasses.MISSING:
                default, word = one.default_factory, f"{name}=_missing"
                value = f"{name} if {name} is not _missing else _of_{name}()"
                value = value if one.init else f"_of_{name}()"
            if default is dataclasses.MISSING:
                word = name
            known[f"_of_{name}"] = default
            if one.init:
                words[one.kw_only].append(word)
            slot = getattr(kind, name, None)
            if isinstance(slot, MemberDescriptorType):
                # The slot's own setter goes round the `__setattr__` that refuses.
                known[f"_set_{name}"] = slot.__set__
                body.append(f"_set_{name}(self, {value})")
            else:
                own.append(f"{name!r}: {value}")
        if own:
            known["_set_own"] = _own_dict(kind)
            body.append(f"_set_own(self, {{{', '.join(own)}}})")
        if hasattr(kind, "__post_init__"):
            body.append("self.__post_init__()")
        taken = ", ".join(words[False] + (["*", *words[True]] if words[True] else []))
        return f"def __init__({taken}): {'; '.join(body) or 'pass'}", known

    def _own_dict(kind):
        """What sets `__dict__`, past a `__setattr__` that refuses."""
        return next(
            vars(one)["__dict__"].__set__ for one in kind.__mro__ if "__dict__" in vars(one)
        )

    def _values(record, names):
        return f"({''.join(f'{record}.{name}, ' for name in names)})"

    def _eq(fields, kind):
        names = [one.name for one in fields if one.compare]
        same = f"{_values('self', names)} == {_values('other', names)}"
        kinds = "other.__class__ is self.__class__"
        return f"def __eq__(self, other): return {same} if {kinds} else NotImplemented", {}

    def _hash(fields, kind):
        names = [one.name for one in fields if (one.compare if one.hash is None else one.hash)]
        return f"def __hash__(self): return hash({_values('self', names)})", {}

    def _setstate(fields, kind):
        known, body = {"_keep": object.__setattr__}, []
        for place, one in enumerate(fields):
            slot = getattr(kind, one.name, None)
            if isinstance(slot, MemberDescriptorType):
                known[f"_set_{one.name}"] = slot.__set__
                body.append(f"_set_{one.name}(self, values[{place}])")
            else:
                body.append(f"_keep(self, {one.name!r}, values[{place}])")
        known["_whole"] = _whole
        return (
            f"def __setstate__(self, values): {'; '.join([f'_whole(values, {len(body)})', *body])}",
            known,
        )

    def _whole(values, count):
        if len(values) != count:
            raise ValueError(f"{count} fields are kept, not {len(values)}")

    WRITTEN = {"__init__": _init, "__eq__": _eq, "__hash__": _hash, "__setstate__": _setstate}

    def _repr(self):
        shown = [one.name for one in dataclasses.fields(self) if one.repr]
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
        return f"{type(self).__qualname__}({values})"

    def _refuse_set(self, name, value):
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")

    def _refuse_delete(self, name):
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")

    def _getstate(self):
        return [getattr(self, one.name) for one in dataclasses.fields(self)]


def no_state(self: object, state: object) -> None:
    """The `__setstate__` of a kind that is whole as it is made: with it a file cannot change the
    kind itself (pickle's BUILD sets attributes of whatever lies on its stack)."""
    raise pickle.UnpicklingError(f"{type(self).__name__} has no state beside its parts")


class RecordReader(pickle.Unpickler):
    """Makes the records of some modules and nothing else, whoever wrote the file."""

    rooms: ClassVar[re.Pattern[str]]
    """The modules whose kinds may be kept."""
    plain: ClassVar[frozenset[str]] = frozenset(("deque", "set", "frozenset"))
    """What else may be, of `collections` and `builtins`."""

    def find_class(self, module: str, name: str) -> Any:
        """A kind of record.

        Raises:
            UnpicklingError: it is none.
        """
        is_plain = module in ("collections", "builtins") and name in self.plain
        if is_plain or self.rooms.fullmatch(module):
            found = super().find_class(module, name)
            # Not what the module imports; and none that a file could give an attribute.
            is_closed = is_plain or hasattr(found, "__setstate__")
            if isinstance(found, type) and found.__module__ == module and is_closed:
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no kind of record")
