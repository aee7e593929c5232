"""What the host owes a program: answers to its calls and questions, in the order they came due.

A question is answered only when its turn has come, so that a flood of them takes the host no
time. Nothing here sends.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from pool.wire.messages import Answer, Ask, Settle, Settled
from pool.worker.calls import HOST_FAULT, OPEN_BYTES

logger = logging.getLogger(__name__)

OnAsk = Callable[[Ask], Settled]


@dataclass(frozen=True, slots=True)
class _Question:
    ask: Ask
    size_bytes: int


class Answers:
    """The answers of one run that have not been sent.

    Args:
        tag: The run's.
        on_ask: Answers a question; what it raises rejects the question.

    Attributes:
        asked: Questions so far.
        held_bytes: Size of the questions that wait for their turn.
    """

    def __init__(self, tag: int, on_ask: OnAsk) -> None:
        self._tag = tag
        self._on_ask = on_ask
        self._owed: deque[Settle | _Question] = deque()
        self.asked = 0
        self.held_bytes = 0

    def __len__(self) -> int:
        return len(self._owed)

    def add_settled(self, index: int, settled: Settled) -> None:
        """Call `index` has its answer."""
        self._owed.append(Settle(self._tag, index, settled.ok, settled.payload))

    def add_question(self, ask: Ask, size_bytes: int) -> None:
        question = _Question(ask, size_bytes + OPEN_BYTES)
        self._owed.append(question)
        self.asked += 1
        self.held_bytes += question.size_bytes

    def take(self) -> Settle | Answer:
        """The next answer; there must be one."""
        owed = self._owed.popleft()
        if isinstance(owed, Settle):
            return owed
        self.held_bytes -= owed.size_bytes
        settled = self._answer(owed.ask)
        return Answer(self._tag, owed.ask.id, settled.ok, settled.payload)

    def _answer(self, ask: Ask) -> Settled:
        try:
            return self._on_ask(ask)
        except Exception:
            logger.exception("question %d could not be answered", ask.id)
            return HOST_FAULT
