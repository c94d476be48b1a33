"""How often and how long a server is tried, on a clock of the test's own."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest

from winnow.adapters.http import COOL_DOWN_SECONDS, MAX_FAILURES, Attempts, Backoff, CircuitBreaker
from winnow.errors import ModelError


class Clock:
    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


def busy(retry_after: float = 0.0) -> ModelError:
    error = ModelError("rate_limited", "busy")
    error.retry_after = retry_after
    return error


def test_each_request_may_take_what_is_left(clock: Clock) -> None:
    attempts = Attempts(5, 3, clock=clock)
    assert attempts.begin() == 5
    clock.seconds += 2
    assert attempts.begin() == 3
    assert attempts.made == 2


def test_after_the_deadline_nothing_is_tried(clock: Clock) -> None:
    attempts = Attempts(5, 3, clock=clock)
    clock.seconds += 5
    with pytest.raises(TimeoutError):
        attempts.begin()
    assert attempts.made == 0


def test_pauses_grow_up_to_a_limit_and_vary_by_chance(clock: Clock) -> None:
    def pauses(chance: float) -> list[float]:
        attempts = Attempts(1000, 8, Backoff(0.25, 4.0, lambda: chance), clock)
        found = []
        for _ in range(8):
            attempts.begin()
            found.append(attempts.pause_after(busy()))
        return found

    assert pauses(1.0)[:3] == [0.25, 0.5, 1.0]
    assert max(pauses(1.0)) == 4.0
    assert pauses(0.0) == [p / 2 for p in pauses(1.0)]


def test_a_server_is_left_alone_as_long_as_it_asks_for(clock: Clock) -> None:
    attempts = Attempts(10, 1, clock=clock)
    attempts.begin()
    assert attempts.pause_after(busy(retry_after=7)) == 7


@pytest.mark.parametrize(
    "error", [ModelError("refused", "x"), ModelError("unauthorised", "x"), ModelError("bad_answer", "x")]
)
def test_what_will_not_pass_is_not_tried_again(clock: Clock, error: ModelError) -> None:
    attempts = Attempts(10, 5, clock=clock)
    attempts.begin()
    with pytest.raises(ModelError) as caught:
        attempts.pause_after(error)
    assert caught.value is error


@pytest.mark.parametrize(
    ("seconds", "retries", "retry_after"), [(10, 0, 0.0), (0.1, 5, 0.0), (10, 5, 10.0), (10, 5, 3600.0)]
)
def test_no_retry_beyond_the_number_or_the_deadline(
    clock: Clock, seconds: float, retries: int, retry_after: float
) -> None:
    attempts = Attempts(seconds, retries, clock=clock)
    attempts.begin()
    with pytest.raises(ModelError):
        attempts.pause_after(busy(retry_after))


# the circuit


def call(circuit: CircuitBreaker, error: BaseException | None = None) -> None:
    with suppress(ModelError, KeyboardInterrupt), circuit.guard():
        if error:
            raise error


def is_open(circuit: CircuitBreaker) -> bool:
    try:
        with circuit.guard():
            raise ModelError("server", "still failing")
    except ModelError as error:
        return error.code == "open_circuit"


def opened(clock: Callable[[], float]) -> CircuitBreaker:
    circuit = CircuitBreaker(clock)
    for _ in range(MAX_FAILURES):
        call(circuit, ModelError("server", "x"))
    return circuit


def test_after_failures_in_a_row_the_server_is_left_alone(clock: Clock) -> None:
    circuit = CircuitBreaker(clock)
    for _ in range(MAX_FAILURES - 1):
        call(circuit, ModelError("timeout", "x"))
    assert not is_open(circuit)  # the last failure it took
    with pytest.raises(ModelError) as caught:
        circuit.guard().__enter__()
    assert (caught.value.code, caught.value.attempts, caught.value.retryable) == ("open_circuit", 0, True)
    assert f"{COOL_DOWN_SECONDS:.0f} more seconds" in str(caught.value)


@pytest.mark.parametrize(
    "between",
    [None, ModelError("refused", "x"), ModelError("bad_answer", "x"), ModelError("unauthorised", "x")],
)
def test_any_answer_in_between_counts_anew(clock: Clock, between: ModelError | None) -> None:
    circuit = CircuitBreaker(clock)
    for _ in range(MAX_FAILURES - 1):
        call(circuit, ModelError("server", "x"))
    call(circuit, between)
    call(circuit, ModelError("server", "x"))
    assert not is_open(circuit)


def test_a_call_that_was_called_off_counts_as_a_failure(clock: Clock) -> None:
    circuit = CircuitBreaker(clock)
    for _ in range(MAX_FAILURES):
        call(circuit, KeyboardInterrupt())
    assert is_open(circuit)


def test_after_the_pause_one_call_decides(clock: Clock) -> None:
    circuit = opened(clock)
    clock.seconds += COOL_DOWN_SECONDS
    with circuit.guard():
        assert is_open(circuit)  # for everybody else
    assert not is_open(circuit)


def test_a_failed_trial_opens_it_again(clock: Clock) -> None:
    circuit = opened(clock)
    clock.seconds += COOL_DOWN_SECONDS
    call(circuit, ModelError("unreachable", "x"))
    assert is_open(circuit)
    clock.seconds += COOL_DOWN_SECONDS
    call(circuit)
    assert not is_open(circuit)
