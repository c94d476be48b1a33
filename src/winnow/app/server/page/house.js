// The house by floor and room: what each thing reports now, what was meant, and where the person stands.

import { count, make } from "./parts.js";
import { say, stateWord } from "./words.js";

const ACTIVE = new Set(["on", "open", "opening", "unlocked", "playing", "heat", "cool", "cleaning", "active", "true", "wet", "detected", "mowing", "heat_cool", "fan_only"]);
const READING = /sensor|weather|person|update|battery|button|number|select/;

export class House {
  // `stands(room)` is told when a room is chosen; null: none.
  constructor(place, stands) {
    this.place = place;
    this.stands = stands;
    this.home = null;
    this.room = null;
    this.rows = new Map();
    this.shown = new Map();
  }

  show(home, states, meant = []) {
    Object.assign(this, { home, states, meant: new Set(meant), room: null, shown: new Map() });
    this.draw();
  }

  draw() {
    const { home } = this;
    this.rows.clear();
    this.profiles = new Map(home.profiles.map((profile) => [profile.id, profile]));
    const floors = [...home.floors].sort((a, b) => (b.level ?? 0) - (a.level ?? 0));
    const known = new Set(floors.map((floor) => floor.id));
    const groups = floors.map((floor) => [floor.name, home.rooms.filter((room) => room.floor_id === floor.id)]);
    groups.push(["", home.rooms.filter((room) => !known.has(room.floor_id))]);
    const rooms = new Set(home.rooms.map((room) => room.id));
    const roomless = home.devices.filter((device) => !rooms.has(device.room_id));
    const shown = groups
      .filter(([, inside]) => inside.length)
      .map(([name, inside]) =>
        make("div", { class: "floor" }, name && make("h3", {}, name), make("div", { class: "rooms" }, inside.map((room) => this.roomCard(room)))),
      );
    if (roomless.length) {
      const card = make("div", { class: "room" }, this.list(roomless));
      shown.push(make("div", { class: "floor" }, make("h3", {}, say("no_room")), make("div", { class: "rooms" }, card)));
    }
    this.place.replaceChildren(...shown);
    this.update(this.states, this.meant);
  }

  roomCard(room) {
    const inside = this.home.devices.filter((device) => device.room_id === room.id);
    const here = this.room === room.id;
    const choose = () => {
      this.room = here ? null : room.id;
      this.stands(this.room);
      this.draw();
      this.place.querySelector(`[data-room="${CSS.escape(room.id)}"]`)?.focus();
    };
    const name = make("button", { type: "button", "aria-pressed": here, "data-room": room.id, onclick: choose }, make("span", {}, room.name), here && make("small", {}, say("here")));
    return make("div", { class: here ? "room here" : "room" }, name, this.list(inside));
  }

  // Settings, buttons and the like of a device are there for whoever opens them.
  list(devices) {
    const spoken = devices.filter((device) => device.reach !== "named");
    const named = devices.filter((device) => device.reach === "named");
    const rows = (some) => make("ul", {}, some.map((device) => this.row(device)));
    return [
      spoken.length > 0 && rows(spoken),
      named.length > 0 && make("details", {}, make("summary", { class: "hint" }, say("more_things", { count: count(named.length) })), rows(named)),
    ];
  }

  row(device) {
    const value = make("span", { class: "value" });
    const row = make("li", { "data-device": device.id }, make("span", { class: "name" }, device.name), value);
    this.rows.set(device.id, { device, row, value });
    return row;
  }

  // Only what changed is touched, and shown to have changed.
  update(states, meant = this.meant) {
    [this.states, this.meant] = [states, new Set(meant)];
    const offline = new Set(states.states.offline);
    for (const [id, { device, row, value }] of this.rows) {
      const [raw, told] = this.valueOf(device, states);
      const text = offline.has(id) ? say("offline") : told;
      value.textContent = text;
      const changed = this.shown.has(id) && this.shown.get(id) !== String(raw);
      const active = ACTIVE.has(String(raw)) && !offline.has(id);
      const reading = READING.test(device.kinds[0] ?? "");
      row.className = [reading || text === "" ? "reading" : active ? "on" : "", this.meant.has(id) ? "meant" : ""].join(" ").trim();
      if (changed) {
        void row.offsetWidth; // so that the same change is shown twice
        row.classList.add("changed");
      }
      this.shown.set(id, String(raw));
    }
  }

  // Mark what is meant, and bring the first of it into view.
  point(meant) {
    this.update(this.states, meant);
    this.rows.get(meant[0])?.row.scrollIntoView({ block: "nearest" });
  }

  valueOf(device, states) {
    const attribute = states.main[device.id] ?? "";
    const raw = states.states.values[device.id]?.[attribute];
    return [raw, raw === undefined || raw === null ? "" : this.valueText(device, attribute, raw)];
  }

  // A value with its unit, or the word of its kind.
  valueText(device, attribute, raw) {
    const told = this.profiles.get(device.profile_id)?.attributes.find((one) => one.id === attribute);
    const unit = told?.unit && !told.unit.includes("..") ? `\u00a0${told.unit.replace(/^([CF])$/, "°$1")}` : "";
    if (/^\d{4}-\d\d-\d\dT/.test(raw)) return new Date(raw).toLocaleString(document.documentElement.lang, { dateStyle: "short", timeStyle: "short" });
    return Number.isNaN(Number(raw)) || raw === "" || typeof raw === "boolean" ? stateWord(raw, device.kinds) : `${raw}${unit}`;
  }

  device(id) {
    return this.home?.devices.find((device) => device.id === id);
  }

  // What a person calls a thing, with its room.
  named(id) {
    const device = this.device(id) ?? this.home?.scenes.find((scene) => scene.id === id);
    const room = this.home?.rooms.find((one) => one.id === device?.room_id);
    return [device?.name ?? id, room?.name ?? ""];
  }

  roomName() {
    return this.home?.rooms.find((room) => room.id === this.room)?.name ?? "";
  }
}
