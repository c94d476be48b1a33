// The page: a talk with a home, and beside it the house, how each turn came about, and what is remembered.

import { chosenIds, funnel, textOf } from "./funnel.js";
import { House } from "./house.js";
import { library } from "./library.js";
import { by, count, excerpt, Fault, follow, get, make, marked, ms, post, secret, whenKeyIsNeeded } from "./parts.js";
import { LANGUAGES, label, say, setLanguage } from "./words.js";

const STATES_EVERY = 4000; // milliseconds: what happens in the house is seen soon
const THEMES = ["auto", "light", "dark"];
const MAX_QUOTES = 3;
const MAX_QUOTE = 320; // characters
const TWO = matchMedia("(min-width: 900px)"); // as in app.css
const WIDE = matchMedia("(min-width: 1360px)");

const kept = {
  get: (name, otherwise) => localStorage.getItem(`winnow-${name}`) ?? otherwise,
  set: (name, value) => localStorage.setItem(`winnow-${name}`, value),
};
const state = {
  language: kept.get("language", navigator.language.startsWith("zh") ? "zh" : "en"),
  theme: kept.get("theme", "auto"),
  session: [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join(""),
  homes: [],
  home: "",
  whole: 0,
  room: null,
  turn: null, // the trace that is shown
};
const house = new House(by("floors"), (room) => (state.room = room));
const memory = library(() => person(), tell);

function person() {
  return by("user").value.trim();
}

function whose() {
  return { user: person(), home: state.home, session: state.session };
}

// Language, light and dark, views.

function speak(language) {
  state.language = language;
  kept.set("language", language);
  setLanguage(language);
  document.documentElement.lang = language === "zh" ? "zh-Hans" : "en";
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = say(element.dataset.text);
  for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", say(element.dataset.label));
  for (const element of document.querySelectorAll("[data-hint]")) element.placeholder = say(element.dataset.hint);
  by("language").textContent = say("other_language");
  by("language").lang = language === "zh" ? "en" : "zh-Hans";
  light(state.theme);
  if (house.home) house.draw();
  welcome();
  showTurn();
  if (document.body.dataset.view === "memory") memory.show();
}

function light(theme) {
  state.theme = theme;
  kept.set("theme", theme);
  document.documentElement.dataset.theme = theme;
  const told = say(`theme_${theme}`);
  by("theme").textContent = { auto: "◐", light: "☀", dark: "☾" }[theme];
  by("theme").setAttribute("aria-label", told);
  by("theme").title = told;
}

function view(name) {
  document.body.dataset.view = name;
  for (const button of document.querySelectorAll(".views button")) {
    if (button.dataset.view === name) button.setAttribute("aria-current", "page");
    else button.removeAttribute("aria-current");
  }
  if (name === "memory") memory.show();
}

// The home.

async function loadHomes(wanted = "") {
  state.homes = (await get("/v1/homes")).homes;
  const chosen = state.homes.find((one) => one.id === (wanted || state.home)) ?? state.homes[0];
  by("home").replaceChildren(...state.homes.map((one) => make("option", { value: one.id, selected: one === chosen }, one.name || one.id)));
  by("home").parentElement.hidden = state.homes.length === 0;
  if (chosen) await enter(chosen.id);
  else by("floors").replaceChildren(make("p", { class: "empty" }, say("no_home")));
  welcome();
}

async function enter(id) {
  state.home = id;
  state.room = null;
  const path = `/v1/homes/${encodeURIComponent(id)}`;
  const [{ home, whole }, states] = await Promise.all([get(path), get(`${path}/states`)]);
  state.whole = whole.tokens;
  house.show(home, states);
  by("copy").hidden = states.states.source !== "simulated";
}

async function refresh() {
  if (!state.home || document.hidden) return;
  const asked = state.home;
  const states = await get(`/v1/homes/${encodeURIComponent(asked)}/states`);
  if (asked === state.home) house.update(states);
}

async function addHome(file) {
  const id = file.name.replace(/\.[^.]*$/, "").replace(/[^\p{L}\p{N}_-]+/gu, "-") || "home";
  const note = reply(make("div", { class: "turn" }), "", "busy");
  note.textContent = say("thinking");
  by("log").append(note.parentElement);
  try {
    const report = await post(`/v1/homes/${encodeURIComponent(id)}`, file);
    await loadHomes(report.home_id ?? id);
    note.className = "bubble its";
    note.textContent = say("added_home", { name: id, devices: count(report.counts.devices ?? house.home.devices.length) });
  } catch (error) {
    note.className = "bubble wrong";
    note.textContent = wrong(error);
  }
  bottom();
}

// The talk.

function wrong(error) {
  if (error instanceof Fault) return [error.message || say("unreachable"), error.hint].filter(Boolean).join(" ");
  console.error(error);
  return say("went_wrong");
}

function tell(error) {
  const turn = make("div", { class: "turn" });
  reply(turn, wrong(error), "bubble wrong");
  by("log").append(turn);
  bottom();
}

// What it took stays the last line of a turn.
function reply(turn, text, how = "bubble its") {
  const bubble = make("div", { class: how }, text);
  turn.append(bubble, ...turn.querySelectorAll(":scope > .about"));
  return bubble;
}

function bottom() {
  by("log").scrollTop = by("log").scrollHeight;
}

function examples() {
  const { home } = house;
  if (!home) return [];
  const first = (kind) => home.devices.find((device) => device.kinds[0] === kind && device.room_id);
  const room = home.rooms.find((one) => home.devices.some((device) => device.room_id === one.id && /temperature/.test(device.kinds[0])));
  const isOn = (device) => house.valueOf(device, house.states)[0] === "on";
  const lamp = home.devices.find((device) => device.kinds[0] === "light" && device.room_id && isOn(device)) ?? first("light");
  const lock = first("lock");
  return [
    lamp && say("try_off", { name: lamp.name }),
    lamp && say("try_light"),
    room && say("try_warm", { name: room.name }),
    lamp && say("try_lights"),
    lock && say("try_lock", { name: lock.name }),
  ].filter(Boolean);
}

// What is seen before anything was said.
function welcome() {
  const log = by("log");
  if (log.querySelector(".turn")) return;
  const said = examples().map((text) => make("button", { type: "button", onclick: () => ask(text) }, text));
  const text = state.homes.length ? say("welcome") : say("no_home");
  log.replaceChildren(make("div", { class: "welcome" }, make("p", { class: "big" }, text), said.length > 0 && make("p", { class: "hint" }, say("try_these")), make("div", { class: "choices" }, said)));
}

async function ask(text) {
  by("log").querySelector(".welcome")?.remove();
  for (const past of by("log").querySelectorAll(".choices button")) past.disabled = true; // their question is past
  const turn = make("div", { class: "turn" }, make("div", { class: "bubble mine" }, text));
  const busy = make("div", { class: "busy" }, say("thinking"));
  turn.append(busy);
  by("log").append(turn);
  bottom();
  try {
    const room = house.roomName() ? { room: house.roomName() } : {};
    const trace = await follow("/v1/retrieve", { text, ...room, ...whose(), full: true }, (name, data) => {
      if (name === "stage") busy.textContent = `${label("stage", data.name)}…`;
    });
    await follows(turn, trace, busy);
  } catch (error) {
    reply(turn, wrong(error), "bubble wrong");
  }
  busy.remove();
  bottom();
}

// What follows from what was decided; a question waits for its answer.
async function follows(turn, trace, busy) {
  showTurn(trace);
  const { verdict } = trace;
  const looks = by("look").checked;
  if (verdict.kind === "clarify") question(turn, verdict.question, verdict.options.map((one, index) => [one.label, () => answer(turn, trace, index)]));
  else if (verdict.kind === "act" || verdict.kind === "confirm") {
    if (looks) lookedAt(turn, trace);
    else {
      busy.textContent = say("doing");
      await carryOut(turn, trace, await post("/v1/act", { plan: trace.plan, ...whose() }));
    }
  } else if (verdict.reason === "undo" && !looks) await carryOut(turn, trace, await post("/v1/undo", whose()));
  else if (verdict.kind === "query") reply(turn, verdict.reads.map(readText).join("\n"));
  else answered(turn, trace);
  about(turn, trace);
}

function lookedAt(turn, trace) {
  const calls = trace.verdict.calls ?? trace.verdict.proposed;
  const what = calls.map((one) => `${one.name}${one.room ? ` (${one.room})` : ""}: ${one.command_id}`).join("; ");
  reply(turn, [trace.verdict.question, say("would", { what }), say("only_looked")].filter(Boolean).join("\n"));
}

function readText(read) {
  const device = house.device(read.device_id);
  const known = read.value !== null && read.value !== undefined && read.value !== "";
  const value = known ? (device ? house.valueText(device, read.attribute_id, read.value) : read.value) : say("nothing_reported");
  return `${read.name}${read.room ? ` (${read.room})` : ""}: ${value}`;
}

function answered(turn, trace) {
  const found = trace.trace.found.flatMap((list) => list.candidates.map((one) => [one, Object.keys(list.weights)]));
  if (!found.length) {
    reply(turn, trace.verdict.message || label("verdict", trace.verdict.kind));
    return;
  }
  reply(turn, say("found_this"));
  for (const [one, terms] of found.slice(0, MAX_QUOTES)) turn.append(make("blockquote", { class: "quote" }, make("cite", {}, one.data?.title || one.data?.speaker || one.ref.kind), marked(excerpt(textOf(one), terms, MAX_QUOTE), terms)));
}

async function carryOut(turn, trace, done) {
  trace.receipt = done.receipt;
  if (done.token) {
    const yes = async () => carryOut(turn, trace, await post("/v1/confirm", { token: done.token, user: person() }));
    question(turn, done.said, [[say("yes"), yes, true], [say("no"), () => refuse(turn, trace)]]);
    return;
  }
  reply(turn, done.said);
  turn.undoes = done.receipt.status === "done" && !done.receipt.undoes;
  if (turn.querySelector(":scope > .about")) about(turn, trace);
  if (state.turn === trace) showTurn(trace);
  await refresh();
}

async function refuse(turn, trace) {
  await post("/v1/answer", { id: trace.id, choice: false, user: person() });
  reply(turn, say("left_alone"));
}

async function takeBack(turn, trace, button) {
  button.disabled = true;
  try {
    await carryOut(turn, trace, await post("/v1/undo", whose()));
  } catch (error) {
    reply(turn, wrong(error), "bubble wrong");
  }
  bottom();
}

// A question with an answer on each button; once one is chosen the others are past.
function question(turn, text, answers) {
  reply(turn, text);
  const buttons = answers.map(([name, act, main]) => {
    const button = make("button", { type: "button", class: main ? "main" : "" }, name);
    button.addEventListener("click", async () => {
      for (const one of buttons) one.disabled = true;
      button.setAttribute("aria-pressed", "true");
      by("say").focus();
      try {
        await act();
      } catch (error) {
        reply(turn, wrong(error), "bubble wrong");
      }
      bottom();
    });
    return button;
  });
  turn.append(make("div", { class: "choices", role: "group", "aria-label": text }, buttons), ...turn.querySelectorAll(":scope > .about"));
}

async function answer(turn, trace, index) {
  const busy = make("div", { class: "busy" }, say("thinking"));
  turn.append(busy);
  const found = await post("/v1/answer", { id: trace.id, choice: index, user: person(), full: true });
  await follows(turn, found, busy);
  busy.remove();
}

// One line below an answer: what it took, and the way to how it came about.
function about(turn, trace) {
  const facts = { tokens: count(trace.context.tokens, state.language), whole: count(state.whole, state.language) };
  const show = () => {
    showTurn(trace);
    view("why");
    by("why-title").scrollIntoView({ block: "nearest" });
  };
  const told = say(state.whole && trace.home ? "summary" : "summary_alone", facts);
  const undo = turn.undoes && make("button", { type: "button", class: "link undo", onclick: () => takeBack(turn, trace, undo) }, say("undo"));
  turn.querySelector(":scope > .about")?.remove();
  turn.append(make("div", { class: "about" }, undo, make("span", {}, `${told} · ${ms(trace.ms)}`), make("button", { type: "button", class: "link see", onclick: show }, say("see_why"))));
}

// How a turn came about.

function showTurn(trace = state.turn) {
  state.turn = trace;
  by("save").disabled = !trace;
  if (!trace) {
    by("funnel").replaceChildren(make("p", { class: "empty" }, say("no_turn")));
    return;
  }
  const own = trace.home && trace.home === house.home?.id;
  const names = new Map([...(trace.verdict.calls ?? []), ...(trace.verdict.proposed ?? []), ...(trace.verdict.reads ?? [])].map((one) => [one.device_id, [one.name, one.room ?? ""]]));
  const named = (id) => names.get(id) ?? (own ? house.named(id) : [id, ""]);
  const shown = { named, whole: own ? state.whole : 0, size: own ? house.home.devices.length + house.home.scenes.length : 0 };
  by("funnel").replaceChildren(...funnel(trace, shown).filter(Boolean));
  if (own && house.states) house.point(chosenIds(trace.verdict));
}

function save() {
  const data = new Blob([JSON.stringify(state.turn, null, 2)], { type: "application/json" });
  const link = make("a", { href: URL.createObjectURL(data), download: `winnow-${state.turn.id.slice(0, 8) || "trace"}.json` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function replay(text) {
  try {
    const trace = JSON.parse(text);
    if (!trace.schema?.startsWith("winnow.trace/1") || !trace.trace?.stages) throw new TypeError("not a trace");
    showTurn(trace);
    by("why-note").textContent = say("replayed");
  } catch {
    by("why-note").textContent = say("not_a_trace");
  }
}

// Everything that a person can do.

const on = (id, event, act) => by(id).addEventListener(event, act);

function listen() {
  on("ask", "submit", (event) => {
    event.preventDefault();
    const text = by("say").value.trim();
    if (!text) return;
    by("say").value = "";
    by("why-note").textContent = "";
    ask(text);
  });
  on("language", "click", () => speak(LANGUAGES.find((one) => one !== state.language)));
  on("theme", "click", () => light(THEMES[(THEMES.indexOf(state.theme) + 1) % THEMES.length]));
  on("home", "change", () => enter(by("home").value).catch(tell));
  on("user", "change", () => {
    kept.set("user", person());
    if (document.body.dataset.view === "memory") memory.show();
  });
  on("add", "click", () => by("file").click());
  on("file", "change", () => by("file").files[0] && addHome(by("file").files[0]).finally(() => (by("file").value = "")));
  on("save", "click", save);
  on("open", "click", () => by("trace-file").click());
  on("trace-file", "change", async () => by("trace-file").files[0] && replay(await by("trace-file").files[0].text()));
  on("replay", "click", () => replay(by("trace-text").value));
  for (const button of document.querySelectorAll(".views button")) button.addEventListener("click", () => view(button.dataset.view));
}

whenKeyIsNeeded(
  () =>
    new Promise((known) => {
      const dialog = by("key");
      const asked = secret.get();
      dialog.addEventListener("close", () => {
        secret.set(by("secret").value);
        if (!kept.get("user", "")) by("user").value = ""; // the key says who speaks
        known(Boolean(secret.get()) && secret.get() !== asked);
      }, { once: true });
      if (!dialog.open) dialog.showModal();
    }),
);

async function begin() {
  by("user").value = kept.get("user", secret.get() ? "" : "guest");
  speak(state.language);
  listen();
  view(WIDE.matches ? "why" : TWO.matches ? "house" : "talk");
  await loadHomes();
  // A server that is away is asked again; a key that ended is not asked for every few seconds.
  const every = setInterval(() => refresh().catch((error) => error.status === 401 && clearInterval(every)), STATES_EVERY);
  if (TWO.matches) by("say").focus(); // on a phone the keyboard would hide the examples
}

begin().catch(tell);
