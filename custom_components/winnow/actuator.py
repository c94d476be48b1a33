"""What makes the things of this Home Assistant do something, with the rights of whoever spoke."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextvars import ContextVar

import voluptuous as vol
from homeassistant.const import ATTR_ENTITY_ID, STATE_UNAVAILABLE
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import (
    HomeAssistantError,
    ServiceNotFound,
    ServiceValidationError,
    Unauthorized,
)

from winnow.types.home import Scalar
from winnow.types.receipt import Outcome
from winnow.types.scope import Scope
from winnow.types.state import Snapshot
from winnow.types.verdict import Call

from .documents import is_exposed
from .states import HassStates
from .thread import over

speaking: ContextVar[Context | None] = ContextVar("winnow_speaking", default=None)
"""The context of the sentence that is being carried out, so that the logbook tells who said it."""


class HassActuator:
    """Winnow's ``Actuator`` of this Home Assistant."""

    def __init__(self, hass: HomeAssistant, states: HassStates) -> None:
        self.hass, self._states = hass, states

    async def look(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:
        """The states as they are now."""
        return await self._states.read(scope, refs)

    async def do(self, scope: Scope, calls: Sequence[Call]) -> tuple[Outcome, ...]:
        """Try each call once, in their order, as the user of the scope."""

        async def tried() -> tuple[Outcome, ...]:
            return tuple([await self._done(call, scope) for call in calls])

        return await over(self.hass.loop, tried)

    async def _done(self, call: Call, scope: Scope) -> Outcome:
        if hindered := self._hindered(call, scope):
            return hindered
        domain, _, service = call.command_id.partition(".")
        data = {**call.arguments, ATTR_ENTITY_ID: call.device_id}
        context = speaking.get()
        if context is None or (context.user_id or "") != scope.user:  # a sentence of somebody else
            context = Context(user_id=scope.user or None)
        try:
            await self.hass.services.async_call(domain, service, data, blocking=True, context=context)
        except Unauthorized:  # an unknown user is one as well
            return self._failed(call, "no_rights")
        except (ServiceNotFound, ServiceValidationError, vol.Invalid, ValueError, TypeError) as error:
            return self._failed(call, "home_refused", why=str(error))
        except HomeAssistantError as error:  # it was sent to the thing; how far it got, nobody knows
            return Outcome(call, "unknown", "home_in_trouble", self._facts(call, why=str(error)))
        return Outcome(call, "sent")

    def _hindered(self, call: Call, scope: Scope) -> Outcome | None:
        """Why it is not even tried, if so."""
        state = self.hass.states.get(call.device_id)
        known = call.device_id in self._states.entities.get(scope.home, ())
        if state is None or not known or not is_exposed(self.hass, call.device_id):
            return self._failed(call, "no_such_device")
        if state.state == STATE_UNAVAILABLE:
            return self._failed(call, "device_offline")
        domain, _, service = call.command_id.partition(".")
        if not self.hass.services.has_service(domain, service):
            return self._failed(call, "no_such_command", what=call.command_id)
        return None

    def _failed(self, call: Call, code: str, **facts: str) -> Outcome:
        return Outcome(call, "failed", code, self._facts(call, **facts))

    def _facts(self, call: Call, **facts: str) -> dict[str, Scalar]:
        state = self.hass.states.get(call.device_id)
        return {"name": state.name if state else call.device_id, **facts}
