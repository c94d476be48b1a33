"""Tools that make contexts: nothing of anybody is read, what they are given is all they know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from winnow.app.mcp.results import (
    BudgetResult,
    CompressResult,
    CutText,
    RebuildResult,
    ShareFigures,
    SourceText,
    TalkMessage,
    WindowResult,
)
from winnow.app.output import plain_data
from winnow.app.wiring.engine import open_builtin_embedder
from winnow.context.build import build_context
from winnow.context.compress.compress import compress
from winnow.context.compress.features import word_embedder
from winnow.context.parts import ContextParts
from winnow.context.shares import DEFAULT_SHARES, ContextBudget
from winnow.context.window import select_window, split_exchanges
from winnow.engine.engine import Engine
from winnow.language.tokens import counter
from winnow.ports.services import run_aside
from winnow.types.candidate import Candidate, Ref, Shortlist
from winnow.types.context import Item, Part, Preference, WindowKind, WindowSettings

Tokens = Annotated[int, Field(description="Tokens there are in all.", ge=32, le=1_000_000)]
Messages = Annotated[list[TalkMessage], Field(description="The talk, oldest first.", max_length=2000)]


@dataclass(frozen=True, slots=True)
class ContextTools:
    """The tools; of the engine they take what counts tokens and what knows words."""

    engine: Engine

    async def compress(
        self,
        texts: Annotated[list[SourceText], Field(description="Best first.", min_length=1, max_length=1000)],
        query: Annotated[str, Field(description="What they are to answer.", max_length=2000)] = "",
        tokens: Annotated[int | None, Field(description="Tokens that may stay.", ge=0)] = None,
        rate: Annotated[
            float, Field(description="Else the share of the tokens that may stay.", ge=0, le=1)
        ] = 0.5,
    ) -> CompressResult:
        """Make texts smaller for a question: what answers it stays, and no number, name or denial changes."""
        count = counter(self.engine.policy.tokenizer).count
        items = [Item(one.id, one.text, one.importance, one.title) for one in texts]
        most = int(rate * count("\n".join(one.text for one in items))) if tokens is None else tokens
        table = word_embedder(open_builtin_embedder(self.engine.embedder))
        small = await run_aside(lambda: compress(items, query, most, count=count, meaning=table))
        return CompressResult(
            text=small.text,
            tokens=small.tokens,
            level=small.level,
            reached=round(small.reached, 4),
            support=round(small.support, 4),
            cut=[CutText(id=one.id, reason=one.reason) for one in small.cut],
        )

    async def budget(
        self,
        texts: Annotated[dict[Part, str], Field(description="What each share is to hold.")] = {},  # noqa: B006
        total: Tokens = 4000,
        shares: Annotated[
            dict[Part, float], Field(description="Parts of the whole, together at most 1.")
        ] = {},  # noqa: B006
    ) -> BudgetResult:
        """Divide tokens among history, knowledge, system and reserve, and tell whether texts fit there."""
        made = ContextBudget(total, shares or DEFAULT_SHARES, self.engine.policy.tokenizer)
        fits = [made.add(part, text) for part, text in texts.items()]
        used = {
            str(part): ShareFigures(used=use.used, total=use.total, percentage=use.percentage)
            for part, use in made.usage().items()
        }
        return BudgetResult(
            total=made.total,
            remaining=made.remaining(),
            fits=all(fits),
            shares=used,
            warnings=[str(one) for one in made.warnings()],
            counted_by=made.counter.name,
        )

    async def window(
        self,
        messages: Messages,
        question: Annotated[str, Field(description="What is asked now.", max_length=8000)] = "",
        tokens: Tokens = 1200,
        kind: Annotated[
            WindowKind, Field(description="The last turns, those that matter, or both.")
        ] = "mixed",
        turns: Annotated[int, Field(description="Most turns of a fixed window.", ge=1)] = 8,
    ) -> WindowResult:
        """Choose the turns of a talk that stay word for word within a number of tokens."""
        count = counter(self.engine.policy.tokenizer)
        every = split_exchanges([one.model_dump() for one in messages])
        chosen = WindowSettings(kind, turns)
        kept = await run_aside(lambda: select_window(every, question, tokens, chosen, count))
        return WindowResult(
            messages=[plain_data(one) for turn in kept for one in turn.messages],
            kept=len(kept),
            turns=len(every),
            tokens=sum(turn.tokens(count) for turn in kept),
        )

    async def rebuild(
        self,
        question: Annotated[str, Field(description="What is asked now.", max_length=8000)],
        messages: Messages = [],  # noqa: B006
        system: Annotated[str, Field(description="Instructions.", max_length=100_000)] = "",
        texts: Annotated[
            list[SourceText], Field(description="What was looked up, best first.", max_length=1000)
        ] = [],  # noqa: B006
        tokens: Tokens = 4000,
        prefer: Annotated[Preference | None, Field(description="What gets more room.")] = None,
    ) -> RebuildResult:
        """Put instructions, summary, talk, data and question together as messages within a budget."""
        data = [
            Candidate(
                Ref("passage", one.id),
                score=1.0,
                data={"text": one.text, "document": one.title, "importance": one.importance},
            )
            for one in texts
        ]
        parts = ContextParts(
            question,
            system,
            [one.model_dump() for one in messages],
            found=[Shortlist("knowledge", tuple(data))] if data else [],
            tokens=tokens,
            prefer=prefer,
            counted_by=self.engine.policy.tokenizer,
        )
        made = await run_aside(lambda: build_context(parts))
        return RebuildResult(
            messages=plain_data(made.messages),
            tokens=made.token_count,
            total=made.total,
            stable=made.stable,
            left_out=[CutText(id=one.id, reason=str(one.reason)) for one in made.trimmed],
            steps=[f"{one.what}: {one.chosen} ({one.reason})" for one in made.steps],
        )
