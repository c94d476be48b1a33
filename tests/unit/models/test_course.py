"""How often and how long a server is tried, on a clock of the test's own."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest

from winnow.adapters.models.retry_policy import (
    COOL_DOWN_SECONDS,
    FIRST_PAUSE_SECONDS,
    MAX_FAILURES,
    MAX_PAUSE_SECONDS,
    CallAttempts,
    CircuitBreaker,
)
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
    course = CallAttempts(5, 3, clock)
    assert course.begin() == 5
    clock.seconds += 2
    assert course.begin() == 3
    assert course.attempts == 2


def test_after_the_deadline_nothing_is_tried(clock: Clock) -> None:
    course = CallAttempts(5, 3, clock)
    clock.seconds += 5
    with pytest.raises(ModelError) as caught:
        course.begin()
    assert (caught.value.code, course.attempts) == ("timeout", 0)


def test_pauses_grow_up_to_a_limit_and_vary_by_chance(clock: Clock) -> None:
    def pauses(chance: float) -> list[float]:
        course = CallAttempts(1000, 8, clock, lambda: chance)
        found = []
        for _ in range(8):
            course.begin()
            found.append(course.pause(busy()))
        return found

    assert pauses(1.0)[:3] == [FIRST_PAUSE_SECONDS, 2 * FIRST_PAUSE_SECONDS, 4 * FIRST_PAUSE_SECONDS]
    assert max(pauses(1.0)) == MAX_PAUSE_SECONDS
    assert pauses(0.0) == [p / 2 for p in pauses(1.0)]


def test_a_server_is_left_alone_as_long_as_it_asks_for(clock: Clock) -> None:
    course = CallAttempts(10, 1, clock)
    course.begin()
    assert course.pause(busy(retry_after=7)) == 7


@pytest.mark.parametrize(
    "error", [ModelError("refused", "x"), ModelError("unauthorised", "x"), ModelError("bad_answer", "x")]
)
def test_what_will_not_pass_is_not_tried_again(clock: Clock, error: ModelError) -> None:
    course = CallAttempts(10, 5, clock)
    course.begin()
    with pytest.raises(ModelError) as caught:
        course.pause(error)
    assert caught.value is error


@pytest.mark.parametrize(
    ("seconds", "retries", "retry_after"), [(10, 0, 0.0), (0.1, 5, 0.0), (10, 5, 10.0), (10, 5, 3600.0)]
)
def test_no_retry_beyond_the_number_or_the_deadline(
    clock: Clock, seconds: float, retries: int, retry_after: float
) -> None:
    course = CallAttempts(seconds, retries, clock)
    course.begin()
    with pytest.raises(ModelError):
        course.pause(busy(retry_after))


def test_errors_tell_how_many_requests_were_made(clock: Clock) -> None:
    course = CallAttempts(10, 5, clock)
    course.begin()
    course.begin()
    with pytest.raises(ModelError) as caught, course.count_attempts():
        raise busy()
    assert caught.value.attempts == 2


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


@pytest.mark.parametrize(("settings", "calls"), [({"failures": 2}, 2), ({"failures": 7}, 7)])
def test_how_many_failures_is_a_setting(clock: Clock, settings: dict[str, int], calls: int) -> None:
    circuit = CircuitBreaker(clock, **settings)
    for _ in range(calls - 1):
        call(circuit, ModelError("server", "x"))
    assert not is_open(circuit)
    assert is_open(circuit)
