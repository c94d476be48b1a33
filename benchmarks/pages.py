"""``make figures``: figures of README and docs, and all charts, written anew from ``benchmarks/results``.

A page holds figures in two ways. Between ``<!-- name -->`` and ``<!-- /name -->`` stands a table of
``TABLES``. In running text, ``<!--=messages/locomo.en/n-->650<!--/-->`` holds the value at that path in the
result of that name: keys one after the other, ``key=value`` for the row of a list; ``A % B`` is A in per cent
of B; ``as ,.0f`` is how it is written, ``as .0%`` a share in per cent. A test writes all pages and compares.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import yaml

from benchmarks import charts, places, tables

FIGURE = re.compile(r"<!--=(?P<what>.+?)-->.*?<!--/-->")
TABLE = re.compile(r"<!-- (?P<name>[a-z_]+) -->\n.*?<!-- /(?P=name) -->", re.DOTALL)
IN_CELL = re.compile(r"\{(.+?)\}")
ACTING = places.RESULTS / "acting.md"
PAGES = (places.ROOT, places.ROOT / "docs", places.RESULTS)
"""Folders of pages that may hold figures."""
Row = Mapping[str, Any]


@cache
def registry() -> Mapping[str, Any]:
    """What ``evaluations.yaml`` says: sets, evaluations, goals, tables, contacts."""
    data: Mapping[str, Any] = yaml.safe_load(Path(__file__).with_name("evaluations.yaml").read_text("utf-8"))
    return data


def value(path: str) -> Any:
    """What stands at a path. Raises KeyError, with the path, where nothing does."""
    name, *keys = path.strip().split("/")
    found: Any = places.result(name)
    try:
        for key in keys:
            found = _row(found, key) if isinstance(found, list) else found[key]
    except (KeyError, TypeError, StopIteration) as error:
        raise KeyError(f"no figure at {path}: {key}") from error
    return found


def _row(rows: Sequence[Any], key: str) -> Any:
    """The row of a list that has all these values."""
    wanted = dict(pair.split("=") for pair in key.split(","))
    return next(row for row in rows if all(str(row[name]) == text for name, text in wanted.items()))


def shown(what: str) -> str:
    """A figure as a page writes it."""
    path, _, how = what.partition(" as ")
    part, _, whole = path.partition(" % ")
    found = 100 * value(part) / value(whole) if whole else value(part)
    if how.endswith("%"):
        return f"{100 * found:{how[:-1]}f}"
    return f"{found:{how}}" if how else f"{found:.1f}" if isinstance(found, float) else str(found)


def language_of(page: Path) -> str:
    return "zh" if page.name.endswith(".zh.md") else "en"


def written(page: str, language: str) -> str:
    """The page with the figures of the stored results."""

    def table(found: re.Match[str]) -> str:
        name = found["name"]
        if name not in TABLES:
            return found[0]
        return f"<!-- {name} -->\n\n{TABLES[name](language)}\n\n<!-- /{name} -->"

    page = TABLE.sub(table, page)
    return FIGURE.sub(lambda found: f"<!--={found['what']}-->{shown(found['what'])}<!--/-->", page)


def pages() -> Iterator[Path]:
    """Pages with figures."""
    for folder in PAGES:
        for page in sorted(folder.glob("*.md")):
            text = page.read_text("utf-8")
            if FIGURE.search(text) or any(found["name"] in TABLES for found in TABLE.finditer(text)):
                yield page


def write() -> None:
    """Write all pages and draw all charts anew."""
    for page in pages():
        page.write_text(written(page.read_text("utf-8"), language_of(page)), "utf-8")
    charts.draw_all()


def listed(name: str, language: str) -> str:
    """A table of ``evaluations.yaml``."""
    told = registry()["tables"][name]
    return tables.markdown(told["head"][language], [_cells(row, language) for row in told["rows"]])


def _cells(row: Row, language: str) -> list[str]:
    base = f"{row['base']}/" if "base" in row else ""
    cells = [
        IN_CELL.sub(lambda found: shown(found[1]), cell)
        if "{" in cell or "`" in cell
        else shown(f"{base}{cell}")
        for cell in row["figures"]
    ]
    return [*row[language].split(" | "), *cells]


def files(language: str, results: Sequence[str], *, short: bool) -> str:
    """Sentences of the case files: one row a file, or another for its orders for one device."""
    columns = {name: tables.COLUMNS[name] for name in tables.SHORT} if short else tables.STEADY_COLUMNS
    found = {name: file for result in results for name, file in value(f"{result}/files").items()}
    rows = (
        [row for name, file in found.items() for row in ((name, file["all"]), *tables.undoubted(name, file))]
        if short
        else tables.file_rows(found, categories=False)
    )
    return tables.page_table("file", rows, columns, language)


def sizes(language: str) -> str:
    """Tokens by the size of the home."""
    rows = [(row["home"], row) for row in value("devices/tokens_by_home_size")]
    return tables.page_table("home", rows, tables.SIZE_COLUMNS, language)


def speed(language: str) -> str:
    """Milliseconds by stage and size of the home."""
    words = tables.WORDS[language]
    columns = {
        key: " ".join(words.get(word, word) for word in head.split())
        for key, head in tables.STAGE_COLUMNS.items()
    }
    rows = [(home["home"], home["orders"]) for home in value("speed/homes")]
    return tables.page_table("home", rows, columns, language)


def peers(language: str) -> str:
    """Beside a ranking by BM25."""
    columns = {key: head for key, head in tables.PEER_COLUMNS.items() if key != "times_winnow"}
    return tables.page_table("home", tables.rivals(value("speed/homes")), columns, language)


def meaning(language: str) -> str:
    """hit@1 of the built-in embedder and of others."""
    found = value("meaning/hit@1")
    names = tables.MEANINGS if language == "zh" else {name: name for name in tables.MEANINGS}
    rows = [(said, {way: found[way][name] for way in found}) for name, said in names.items()]
    return tables.page_table("hit@1, %", rows, tables.MEANING_HEADS[language], language)


def passages(language: str) -> str:
    """Passages by words and by words and meaning."""
    rows = [(f"{name} (n={row['n']})", row) for name, row in value("passages/found").items()]
    return tables.page_table("n", rows, tables.PASSAGE_HEADS[language], language)


def strategies(language: str) -> str:
    """Milliseconds by strategy and number of messages."""
    rows = tables.strategies(value("strategies/rows"))
    return tables.page_table(tables.STRATEGY_HEAD, rows, tables.STRATEGY_COLUMNS, language)


def costs(name: str, language: str) -> str:
    """A table of the cost model."""
    from benchmarks.scale.costs import page_tables

    return page_tables(language)[name]


def contacts(language: str) -> str:
    """First contacts, and the same sentences by now."""
    words = tables.WORDS[language]
    heads = ["first contact", "n", "exact", "completed", "wrong acts", "but for the form", "exact by now"]
    heads += ["wrong by now", "learned from"]
    rows = []
    for told in registry()["contacts"]:
        first = [value(f"first_contact/file={name}") for name in told["files"]]
        now = [value(f"contacts/{name}") for name in told["files"]]
        form = [row["right but for the form"] for row in first if "right but for the form" in row]
        of = words.get("{} of {}", "{} of {}").format(sum(form), _counted(first, "wrong acts"))
        row = [told[language], str(sum(row["sentences"] for row in first)), _together(first, "exact")]
        row += [
            _together(first, "completed", "to be done"),
            _together(first, "wrong acts"),
            of if form else "",
        ]
        row += [_together(now, "exact"), _together(now, "wrong acts")]
        rows.append([*row, words.get(told["learned"], told["learned"])])
    return tables.markdown([words.get(head, head) for head in heads], rows)


def _counted(rows: Sequence[Row], what: str, of: str = "sentences") -> int:
    return sum(round(row[what] * row[of] / 100) for row in rows)


def _together(rows: Sequence[Row], what: str, of: str = "sentences") -> str:
    all_of_them = sum(row[of] for row in rows)
    return f"{100 * _counted(rows, what, of) / all_of_them:.1f}" if all_of_them else ""


def goals(language: str) -> str:
    """What the project set itself, beside what is measured."""
    words = tables.WORDS[language]
    rows = []
    for goal in registry()["goals"]:
        found = [value(path) for path in goal["figures"]]
        least, most = goal.get("least"), goal.get("most")
        met = all((least is None or each >= least) and (most is None or each <= most) for each in found)
        bound = f"≥ {least}" if most is None else f"≤ {most}"
        measured = ", ".join(
            shown(f"{path} as {goal['as']}" if "as" in goal else path) for path in goal["figures"]
        )
        unit = goal.get("unit", "")
        said = words.get("yes" if met else "**no**", "yes" if met else "**no**")
        rows.append([goal[language], f"{bound}{unit}", f"{measured}{unit}", said])
    return tables.markdown([words.get(head, head) for head in ("goal", "bound", "measured", "met")], rows)


def evaluations(language: str) -> str:
    """What ``make bench`` runs, and how long each took."""
    words, runs = tables.WORDS[language], places.result("runs")
    heads = ("name", "what it measures", "public sets", "seconds")
    rows = [
        [
            f"`{name}`",
            one[language],
            ", ".join([*one.get("sets", ()), *(f"({each})" for each in one.get("also", ()))]),
            f"{runs[name]['seconds']:.0f}" if runs.get(name, {}).get("seconds") else "",
        ]
        for name, one in registry()["evaluations"].items()
        if "run" in one
    ]
    return tables.markdown([words.get(head, head) for head in heads], rows, right=1)


def apart(language: str) -> str:
    """What is measured by commands of its own."""
    words, runs = tables.WORDS[language], places.result("runs")
    rows = [
        [
            f"`{one['own']}`",
            one[language],
            one["why"][language],
            runs[name]["date"],
            f"[{name}.json]({RAW}{name}.json)",
        ]
        for name, one in registry()["evaluations"].items()
        if "own" in one
    ]
    heads = ("command", "what it measures", "why not", "last run", "figures")
    return tables.markdown([words.get(head, head) for head in heads], rows, right=0)


RAW = "../benchmarks/results/"


def sets(language: str) -> str:
    """The public sets, where they are had and what their licences are."""
    words = tables.WORDS[language]
    rows = []
    for name, one in registry()["sets"].items():
        by = [
            f"`{what}`"
            for what, told in registry()["evaluations"].items()
            if name in (*told.get("sets", ()), *told.get("also", ()))
        ]
        address = f"https://github.com/{one['page']}"
        rows.append(
            [name, f"[{one['page']}]({address})", words.get(one["licence"], one["licence"]), ", ".join(by)]
        )
    return tables.markdown(
        [words.get(h, h) for h in ("public set", "page", "licence", "read by")], rows, right=0
    )


def acting(language: str) -> str:
    """Acts carried out on a simulated home."""
    found = value("acting")
    return tables.acting(found["files"], found["share"], found["seeds"])


def histories(language: str) -> str:
    """Histories beside peers, by the number of messages; shares of few questions are not shown."""
    heads = {
        "en": ["messages", "", "ms p50", "times Winnow", "R@5", "R@10", "build s", "times Winnow", "MB"],
        "zh": ["消息数", "", "毫秒 p50", "Winnow 的几倍", "R@5", "R@10", "建索引秒", "Winnow 的几倍", "MB"],
    }
    rows = []
    for size, found in value("peers_of_history/sizes").items():
        for name, names in registry()["peers"].items():
            row, cells = found[name], [""] * 7
            if "MB" in row:
                shares = [f"{row[key]:.1f}" for key in ("R@5", "R@10")]
                cells = [
                    f"{row['ms p50']:.2f}", _spread(row["times"]),
                    *(shares if row["questions"] >= charts.LEAST_ASKED else ["", ""]),
                    f"{row['build s']:.2f}", _spread(row["build times"]), f"{row['MB']:,}",
                ]  # fmt: skip
            rows.append([f"{int(size):,}", names[language], *cells])
    return tables.markdown(heads[language], rows)


def _spread(ratio: Mapping[str, float]) -> str:
    """The median of some ratios with the least and the greatest."""
    middle, least, most = (f"{ratio[name]:.2f}" for name in ("median", "least", "most"))
    return middle if least == most else f"{middle} ({least}–{most})"


def recall(language: str) -> str:
    """All questions of both sets, beside peers."""
    sets = {"locomo.en": "LoCoMo", "memdaily.zh": "MemDaily"}
    heads = ["", *(f"{said}, R@{k}" for said in sets.values() for k in (5, 10))]
    found = {name: value(f"peers_of_history/recall/{name}") for name in registry()["peers"]}
    said = {"en": "Winnow, weights of the other half", "zh": "Winnow，另一半上拟合的权重"}
    rows = {said[language]: {name: value(f"messages/{name}/fitted on others") for name in sets}}
    rows |= {names[language]: found[name] for name, names in registry()["peers"].items()}
    cells = [
        [name, *(f"{row[each][f'R@{k}']:.1f}" for each in sets for k in (5, 10))]
        for name, row in rows.items()
    ]
    return tables.markdown(heads, cells)


def recognizer(language: str) -> str:
    """Sentences of first contacts and of public sets, beside Home Assistant's own."""
    heads = {
        "en": ["sentences", "n", "Home Assistant, right", "wrong acts", "Winnow, right", "wrong acts"],
        "zh": ["句子", "n", "Home Assistant 答对", "做错", "Winnow 答对", "做错"],
    }
    said = {
        "en": {"en": "first contacts, English", "zh": "first contacts, Chinese"},
        "zh": {"en": "第一次接触，英文", "zh": "第一次接触，中文"},
    }
    rows = []
    for name, row in value("recognizer/committed").items():
        both = [
            f"{row[who][what]:.1f}" for who in ("home assistant", "winnow") for what in ("right", "wrong")
        ]
        rows.append([said[language][name], str(row["n"]), *both])
    for name, row in value("recognizer/public").items():
        own = value(f"others/files/{name}/all")
        both = [f"{of[what]:.1f}" for of in (row, own) for what in ("exact", "miscontrol")]
        rows.append([name, str(row["n"]), *both])
    return tables.markdown(heads[language], rows)


def calibration(language: str) -> str:
    """Every probability that decides."""
    heads = {
        "en": [
            "what is said",
            "n",
            "said",
            "so",
            "ECE",
            "Brier",
            "threshold",
            "right for",
            "stated",
            "cheapest",
        ],
        "zh": ["所说的", "n", "所说", "实际", "ECE", "Brier", "阈值", "相当于", "所定", "最省"],
    }
    names = registry()["decisions"]
    rows = [
        [
            names[name] if language == "zh" else name,
            *(str(row[key]) for key in ("n", "said", "so", "ece", "brier", "threshold")),
            f"{row['right for']:.2f}",
            f"{row['stated']:.2f}" if "stated" in row else "",
            str(row.get("cheapest", "")),
        ]
        for name, row in value("calibration").items()
    ]
    return tables.markdown(heads[language], rows)


def ablations(part: str, language: str) -> str:
    """What each of a part is worth: the figures with nothing switched off, and by how much others differ."""
    whole, *others = value(f"ablations/{part}").items()
    told = registry()["ablated"][part]
    names = told["zh"] if language == "zh" else {}
    nothing = "全部开着" if language == "zh" else whole[0]
    rows = [[nothing, *(f"{figure:.1f}" for figure in whole[1].values())]]
    for name, row in others:
        lost = [figure - whole[1][key] for key, figure in row.items()]
        differences = (f"{each:+.1f}" if abs(each) > 0.04 else "0" for each in lost)
        rows.append([names.get(name, f"`{name}`"), *differences])
    heads = [names.get(key, key) for key in whole[1]]
    return tables.markdown(["", *heads], rows)


TABLES: Mapping[str, Callable[[str], str]] = {
    "bench": lambda language: files(language, ("devices", "others"), short=True),
    "figures": lambda language: files(language, ("devices",), short=False),
    "others": lambda language: files(language, ("others",), short=False),
    "tokens": sizes,
    "speed": speed,
    "peers": peers,
    "meaning": meaning,
    "passages": passages,
    "strategies": strategies,
    **{name: partial(costs, name) for name in ("constants", "questions", "costs")},
    "contacts": contacts,
    "goals": goals,
    "evaluations": evaluations,
    "apart": apart,
    "sets": sets,
    "acting": acting,
    "histories": histories,
    "recall": recall,
    "recognizer": recognizer,
    "calibration": calibration,
    **{f"ablated_{part}": partial(ablations, part) for part in registry()["ablated"]},
    **{name: partial(listed, name) for name in registry()["tables"]},
}
"""Marker -> its table in a language."""


if __name__ == "__main__":
    write()
