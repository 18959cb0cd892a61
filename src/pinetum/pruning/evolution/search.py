"""The search: populations binned by program size, judged on more trees when they start to fit their
noise.

One population may never leave the basin that its first steps led to. So several broods begin one
after another from the starting program, each for a short time on the first trees; then all come
together on more trees.

Deterministic given its budget in candidates; the whole state is a JSON document, so that a killed
search goes on where it was and islands exchange their best through files.
"""

import json
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pinetum.files import whole_file
from pinetum.progress import look
from pinetum.pruning.evolution.expressions import (
    DEEPEST,
    START,
    as_json,
    from_json,
    need,
    program_size,
    size,
)
from pinetum.pruning.evolution.operators import ORDER, WEIGHTS, change_constants, simplified
from pinetum.randomness import stream

ARCHIVED = 1000  # programs whose validation scores are remembered; the finalists come from them
PARTS = {"both": (0, 1), "leaf": (0,)}
NAMES = ("L", "S")


@dataclass(frozen=True)
class Settings:
    """How to search; the budget is a number of candidates."""

    candidates: int = 60_000
    stages: tuple = (240, 480, 960)  # training trees
    parts: str = "both"  # or "leaf": the leaf estimate alone
    broods: int = 0  # populations that begin anew before all come together
    brood_share: float = 0.5  # share of the candidates that these take
    largest: int = 48  # tokens of a program
    kept: int = 4  # programs kept of each size
    check: int = 2_000  # candidates between looks at the validation set
    patience: int = 3  # looks without a better validation score before the training set grows
    # ranks behind the worst kept at which the first trees rule one out
    race: float = 0.05
    polish: float = 0.02  # share of steps that move the numbers of a leading program


@dataclass
class State:
    """Everything that a search knows."""

    bins: dict = field(default_factory=dict)  # size -> [[score, program, id]], best first
    born: dict = field(default_factory=dict)  # id -> [parent ids, way, candidate number]
    archive: dict = field(default_factory=dict)  # program as JSON text -> [validation score, id]
    history: list = field(default_factory=list)  # a row per look at the validation set
    candidates: int = 0
    stage: int = 0
    waited: int = 0
    broods: int = 0  # those that are over
    nest: list = field(
        default_factory=list
    )  # their populations, as in a bin, until all come together
    generator: random.Random = field(default_factory=random.Random)


def begin(root, *key) -> State:
    """A state that knows the starting program alone."""
    state = State()
    state.generator = random.Random(int(stream(root, "pruning", "evolution", *key).integers(2**62)))
    return state


class Search:
    def __init__(self, settings: Settings, training, validation, state: State):
        self.settings, self.state, self.validation = settings, state, validation
        self.stages = [training.first(trees) for trees in settings.stages]
        self.first_scores: dict = {}
        if not state.bins:
            self.keep(self.score(START, self.training), START, [], "start")

    @property
    def training(self):
        return self.stages[self.state.stage]

    @property
    def brood(self):
        """Candidates of each brood."""
        return self.settings.brood_share * self.settings.candidates / self.settings.broods

    def score(self, program, material) -> float:
        return material.rank(material.judge(program))

    def keep(self, score, program, parents, way) -> bool:
        """Enter a program into the bin of its size, if it is good enough and not there yet."""
        state = self.state
        bin = state.bins.setdefault(program_size(program), [])
        if len(bin) >= self.settings.kept and score >= bin[-1][0]:
            return False
        if any(entry[1] == program or entry[0] == score for entry in bin):
            return False  # the same score to the last digit is the same behaviour
        number = state.candidates
        state.born[str(number)] = [parents, way, program]
        bin.append([score, program, number])
        bin.sort(key=lambda entry: (entry[0], entry[2]))
        del bin[self.settings.kept :]
        return True

    def front(self) -> list:
        """The best of each size that beats everything smaller."""
        best, front = float("inf"), []
        for length in sorted(self.state.bins):
            entry = self.state.bins[length][0]
            if entry[0] < best:
                best = entry[0]
                front.append(entry)
        return front

    def population_changed(self) -> None:
        self.front_now, self.bins_now = self.front(), sorted(self.state.bins)

    def pick(self):
        draw = self.state.generator
        if draw.random() < 0.4:
            front = self.front_now
            return front[max(draw.randrange(len(front)), draw.randrange(len(front)))]
        bins = self.bins_now
        bin = self.state.bins[draw.choice(bins)]
        return draw.choice(bin)

    def candidate(self):
        draw, settings = self.state.generator, self.settings
        parent, donor = self.pick(), self.pick()
        if draw.random() < settings.polish:
            parent, ways = self.front_now[-1], [change_constants]
        else:
            ways = draw.choices(ORDER, WEIGHTS, k=1 if draw.random() < 0.8 else 2)
        program = list(parent[1])
        for way in ways:
            part = draw.choice(PARTS[settings.parts])
            program[part] = simplified(way(draw, program[part], NAMES[part], donor[1][part]))
        return tuple(program), [parent[2], donor[2]], "+".join(way.__name__ for way in ways)

    def run(self, until, checkpoint=None, every=20_000) -> State:
        """Search until that many candidates were judged in all; a checkpoint file now and then.

        In a watched call Ctrl-C ends it with what is known.
        """
        state, settings = self.state, self.settings
        self.population_changed()
        while state.candidates < until:
            if look(self.tell, state.candidates / until):
                self.look()  # so that the best met so far are judged
                break
            program, parents, way = self.candidate()
            length = program_size(program)
            if length > settings.largest or max(map(need, program)) > DEEPEST:
                continue
            if any(entry[1] == program for entry in state.bins.get(length, ())):
                continue
            state.candidates += 1
            if self.enter(program, length, parents, way):
                self.population_changed()
            if state.candidates % settings.check == 0:
                due = state.candidates % every == 0
                self.look()
                if checkpoint and due:
                    save(state, checkpoint)
                    print(
                        f"{state.candidates:,} of {until:,} candidates, {self.progress()}",
                        flush=True,
                    )
        return state

    def tell(self) -> str:
        known = f", {self.progress()}" if self.state.history else ""
        return f"{self.state.candidates:,} candidates{known}"

    def progress(self) -> str:
        _, trees, length, training, validation, best, _ = self.state.history[-1]
        return (
            f"{trees} trees, leader {length} tokens: {training:.6g}, validation {validation:.6g}"
            f" (best {best:.6g})"
        )

    def enter(self, program, length, parents, way) -> bool:
        """Judge a candidate on the first trees, and on all unless the worst of its bin is far ahead
        there.
        """
        bin = self.state.bins.get(length, ())
        if self.state.stage > 0 and len(bin) >= self.settings.kept:
            bar = self.first_score(bin[-1][1])
            if self.score(program, self.stages[0]) > bar + self.settings.race:
                return False
        return self.keep(self.score(program, self.training), program, parents, way)

    def first_score(self, program) -> float:
        """Score on the first trees of a program that was kept for its score on all."""
        if program not in self.first_scores:
            self.first_scores[program] = self.score(program, self.stages[0])
        return self.first_scores[program]

    def look(self) -> None:
        """Judge the front on the validation set.

        More training trees when it no longer gains there.
        """
        state = self.state
        best_before = min((entry[0] for entry in state.archive.values()), default=float("inf"))
        for _, program, number in self.front():
            text = json.dumps(as_json(program))
            if text not in state.archive:
                state.archive[text] = [self.score(program, self.validation), number]
        ranked = sorted(state.archive.items(), key=lambda item: (item[1][0], item[1][1]))
        state.archive = dict(ranked[:ARCHIVED])
        best = ranked[0][1][0]
        score, program, number = self.front()[-1]
        seen = state.archive.get(
            json.dumps(as_json(program)), [self.score(program, self.validation)]
        )[0]
        state.history.append(
            [state.candidates, len(self.training), program_size(program), score, seen, best, number]
        )
        state.waited = 0 if best < best_before else state.waited + 1
        if state.broods < self.settings.broods:
            if state.candidates >= (state.broods + 1) * self.brood:
                self.next_brood()
        elif state.waited >= self.settings.patience and state.stage + 1 < len(self.stages):
            self.grow()

    def next_brood(self) -> None:
        """Put the population aside and begin again.

        After the last brood, bring all together on more trees.
        """
        state = self.state
        state.broods += 1
        state.nest += self.population()
        state.bins = {}
        if state.broods < self.settings.broods:
            state.candidates += 1
            self.keep(self.score(START, self.training), START, [], "start")
            self.population_changed()
        else:
            self.grow()

    def population(self) -> list:
        return [entry for length in sorted(self.state.bins) for entry in self.state.bins[length]]

    def grow(self) -> None:
        """Judge the whole population, and the broods put aside, on the next larger training set."""
        state = self.state
        entries = self.population() + state.nest
        state.stage = min(state.stage + 1, len(self.stages) - 1)
        state.waited, state.bins, state.nest = 0, {}, []
        for _, program, number in entries:
            bin = state.bins.setdefault(program_size(program), [])
            score = self.score(program, self.training)
            if all(entry[0] != score for entry in bin):
                bin.append([score, program, number])
        for bin in state.bins.values():
            bin.sort(key=lambda entry: (entry[0], entry[2]))
            del bin[self.settings.kept :]
        self.population_changed()

    def welcome(self, others: State) -> None:
        """Migration: another island's front enters this one's bins."""
        guest = Search.__new__(Search)
        guest.state = others
        for _, program, _ in guest.front():
            self.state.candidates += 1
            self.keep(self.score(program, self.training), program, [], "migration")


def settings_of(options: dict) -> Settings:
    """Settings from the config's keys."""
    known = {key: value for key, value in options.items() if key in Settings.__dataclass_fields__}
    chosen: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in known.items()
    }
    return Settings(**chosen)


def finalists(state: State, many: int) -> list:
    """Programs with the best validation scores, best first."""
    ranked = sorted(state.archive.items(), key=lambda item: (item[1][0], item[1][1]))[:many]
    return [(program_from(json.loads(text)), number) for text, (_, number) in ranked]


def selected(programs, material):
    """The program with the best rank on the large validation set; the smaller one of equals."""
    judged = []
    for program, number in programs:
        rank = material.rank(material.judge(program))
        judged.append((rank, program_size(program), number, program))
    return min(judged, key=lambda entry: entry[:3])


def ancestry(state: State, number: int) -> list:
    """(id, way, size of L, size of S, program) from the start to a program, along first parents."""
    line = []
    key = str(number)
    while key in state.born:
        parents, way, program = state.born[key]
        line.append((int(key), way, size(program[0]), size(program[1]), program))
        if not parents:
            break
        key = str(parents[0])
    return line[::-1]


def program_from(thing):
    return tuple(from_json(part, name) for part, name in zip(thing, NAMES, strict=True))


def as_text(state: State) -> str:
    """The state as a JSON document."""
    version, internal, gauss = state.generator.getstate()
    document = {
        "bins": {
            str(k): [[s, as_json(p), i] for s, p, i in bin] for k, bin in sorted(state.bins.items())
        },
        "born": {
            key: [parents, way, as_json(program)]
            for key, (parents, way, program) in state.born.items()
        },
        "archive": state.archive,
        "history": state.history,
        "candidates": state.candidates,
        "stage": state.stage,
        "waited": state.waited,
        "broods": state.broods,
        "nest": [[s, as_json(p), i] for s, p, i in state.nest],
        "generator": [version, list(internal), gauss],
    }
    return json.dumps(document)


def save(state: State, path) -> None:
    with whole_file(path) as file:
        file.write(as_text(state))


def load(path) -> State:
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
        version, internal, gauss = document.pop("generator")
        state = State(**document)
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(
            f"{path}: not the state of a search ({error}); delete it and run again"
        ) from error
    state.bins = {
        int(k): [[s, program_from(p), i] for s, p, i in bin] for k, bin in state.bins.items()
    }
    state.nest = [[s, program_from(p), i] for s, p, i in state.nest]
    state.born = {
        key: [parents, way, program_from(program)]
        for key, (parents, way, program) in state.born.items()
    }
    state.generator = random.Random()
    state.generator.setstate((version, tuple(internal), gauss))
    return state
