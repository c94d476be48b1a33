// What all views share: elements made of values, the server, and figures.
// Names and texts are data: they become text nodes, never markup.

export function make(tag, about = {}, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(about)) {
    if (value === undefined || value === null) continue;
    if (typeof value === "boolean" && name.startsWith("aria-")) element.setAttribute(name, String(value));
    else if (value === false) continue;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...inside.flat(3).filter((one) => one !== null && one !== undefined && one !== false && one !== ""));
  return element;
}

export const by = (id) => document.getElementById(id);

export function bar(share, label, weak = false) {
  const full = make("i", { class: weak ? "weak" : "" });
  full.style.width = `${Math.max(0, Math.min(1, share || 0)) * 100}%`;
  // The figure beside it says the same in words.
  return make("span", { class: "track", "aria-hidden": "true", title: label }, full);
}

export function count(number, language) {
  return new Intl.NumberFormat(language).format(number);
}

export function ms(number) {
  const digits = number >= 10 ? 0 : number >= 1 ? 1 : 2;
  return `${number.toFixed(digits)} ms`;
}

// Text with the words marked that a question has in common with it.
export function marked(text, words) {
  const found = [...new Set(words)].filter(Boolean).sort((a, b) => b.length - a.length);
  if (!found.length) return [text];
  const escaped = found.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  // A Latin word begins where it stands, and may have an ending: guest, guests.
  const edge = (word) => (/^[\p{Script=Latin}\d]/u.test(word) ? `(?<![\\p{L}\\d])${word}${word.length > 3 ? "\\p{L}{0,2}" : ""}(?![\\p{L}\\d])` : word);
  const split = text.split(new RegExp(`(${escaped.map(edge).join("|")})`, "giu"));
  return split.map((part, index) => (index % 2 ? make("mark", {}, part) : part));
}

// About so many characters of a text, around the first of the words.
export function excerpt(text, found, most) {
  if (text.length <= most) return text;
  const places = found.map((word) => text.toLowerCase().indexOf(word.toLowerCase())).filter((at) => at >= 0);
  const begin = Math.max(0, Math.min(...places, text.length) === text.length ? 0 : Math.min(...places) - most / 4);
  return `${begin > 0 ? "…" : ""}${text.slice(begin, begin + most).trim()}${begin + most < text.length ? "…" : ""}`;
}

export function words(text) {
  const cut = new Intl.Segmenter(undefined, { granularity: "word" });
  const all = [...cut.segment(text)].filter((one) => one.isWordLike).map((one) => one.segment);
  return all.filter((word) => (/\p{Script=Han}/u.test(word) ? word.length > 1 : word.length > 3));
}

// The server.

export class Fault extends Error {
  constructor(status, error) {
    super(error.message);
    Object.assign(this, { status, code: error.code, hint: error.hint });
  }
}

const SECRET = "winnow-key";
export const secret = {
  get: () => sessionStorage.getItem(SECRET) || "",
  set: (value) => sessionStorage.setItem(SECRET, value.trim()),
};

let askKey = async () => "";
export function whenKeyIsNeeded(ask) {
  askKey = ask;
}

async function send(method, path, body, more = {}) {
  const headers = { "Accept-Language": document.documentElement.lang, ...more };
  if (secret.get()) headers.Authorization = `Bearer ${secret.get()}`;
  const raw = body instanceof Blob;
  if (body !== undefined && !raw) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(path, { method, headers, body: raw ? body : body && JSON.stringify(body) });
  } catch {
    throw new Fault(0, { code: "unreachable", message: "", hint: "" });
  }
  if (response.ok) return response;
  const { error } = await response.json().catch(() => ({ error: { code: "broken", message: response.statusText } }));
  if (response.status === 401 && (await askKey(error))) return send(method, path, body, more);
  throw new Fault(response.status, error);
}

export const get = async (path) => (await send("GET", path)).json();
export const post = async (path, body) => (await send("POST", path, body)).json();

// Events of the server as they come; what the last one, the result, holds.
export async function follow(path, body, told) {
  const response = await send("POST", path, body, { Accept: "text/event-stream" });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Fault(0, { code: "broken", message: "", hint: "" });
    waiting += value;
    const events = waiting.split("\n\n");
    waiting = events.pop();
    for (const event of events) {
      const [, name, data] = event.match(/^event: (.*)\ndata: (.*)$/s);
      const parsed = JSON.parse(data);
      if (name === "result") return parsed;
      if (name === "error") throw new Fault(0, parsed.error);
      told(name, parsed);
    }
  }
}
