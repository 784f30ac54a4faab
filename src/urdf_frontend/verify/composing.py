"""The whole robot, put together from its parts: each part is where the link is that it hangs on."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from attrs import evolve

from urdf_frontend.verify.measuring import LinkState, Sample
from urdf_frontend.verify.parts import Part


def composed(parts: Iterable[tuple[Part, Sample]]) -> Sample:
    """One sample of all parts at rest, each behind the one that its root is in. Velocities are those of no part."""
    links: dict[str, LinkState] = {}
    whole: Sample | None = None
    for part, sample in parts:
        if whole is None:
            whole, links = sample, dict(sample.links)
            continue
        there, here = links[part.root], sample.links[part.root]
        turn = there.turn @ here.turn.T  # from the world of the part to that of the robot
        for name, state in sample.links.items():
            if name not in links:
                links[name] = evolve(
                    state,
                    place=there.place + turn @ (state.place - here.place),
                    turn=turn @ state.turn,
                    body_place=there.place + turn @ (state.body_place - here.place),
                )
        whole = evolve(
            whole, positions=whole.positions | sample.positions, followers=whole.followers | sample.followers
        )
    assert whole is not None, "a robot has at least one part"
    if len(links) > len(whole.links):
        empty = np.zeros(0)
        whole = evolve(whole, links=links, velocities=empty, accelerations=empty)
    return whole
