"""A board of today as a person reads it off: the answers that `companion track new` asks for."""

from __future__ import annotations

import tomllib

from companion.race.boards import TrackLibrary


def counts_of(name: str) -> list[str]:
    """What a person answers who has this board before him."""
    file = tomllib.loads(TrackLibrary().text(name))
    answers = [file["name"], " ".join(file["lanes"])]
    sections = file["section"]
    for section, after in zip(sections, [*sections[1:], {"kind": "end"}], strict=True):
        spaces = " ".join(map(str, section["spaces"]))
        if section["kind"] == "straight":
            answers += [spaces, section.get("lead", "level"), " ".join(section.get("closed", ()))]
        else:
            ways = f"{section['shortest']}-{section['longest']}"
            answers += [
                section.get("name", ""),
                str(section["stops"]),
                section["turns"],
                spaces,
                ways,
            ]
        answers.append(after["kind"])
    answers += [
        " ".join(str(file["finish"][lane]) for lane in file["lanes"]),
        " ".join(file["grid"]),
    ]
    pit, weather = file.get("pit"), file.get("weather")
    answers.append(str(pit["spaces"]) if pit else "0")
    if pit:
        boxes = pit["boxes"]
        answers += [" ".join(pit["entry"]), " ".join(pit["exit"]), f"{boxes[0]}-{boxes[-1]}"]
    return [*answers, weather["variable"] if weather else ""]
