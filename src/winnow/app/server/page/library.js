// What is remembered of a person: documents, messages, facts; searched as a turn searches, with the passages marked.

import { by, get, make, marked, post, words } from "./parts.js";
import { say } from "./words.js";

const day = (at) => (at ? String(at).slice(0, 16).replace("T", " ") : "");

export class Library {
  // `about()` is the person; `fail(error)` tells what went wrong.
  constructor(place, about, fail) {
    Object.assign(this, { place, about, fail, query: "" });
  }

  async show() {
    if (!this.about()) {
      this.place.replaceChildren(make("p", { class: "empty" }, say("nobody")));
      return;
    }
    const [typed, kept] = [this.query, make("div", { id: "kept" })];
    const field = make("input", { type: "search", "aria-label": say("search_memory"), placeholder: say("search_memory"), value: typed });
    const search = (event) => {
      event.preventDefault();
      this.query = field.value.trim();
      this.fill(kept);
    };
    const file = make("input", { type: "file", hidden: true, accept: ".md,.txt,.pdf,.docx,.html,.htm", onchange: () => this.add(file) });
    const add = make("button", { type: "button", onclick: () => file.click() }, say("add_document"));
    this.note = make("p", { class: "hint", role: "status" });
    this.place.replaceChildren(make("form", { onsubmit: search }, field, make("button", {}, say("search"))), make("div", { class: "row" }, add, file, this.note), kept);
    await this.fill(kept);
  }

  async fill(kept) {
    try {
      kept.replaceChildren(...(this.query ? await this.found() : await this.all()));
    } catch (error) {
      this.fail(error);
    }
  }

  ask(what, more = {}) {
    return get(`/v1/${what}?${new URLSearchParams({ user: this.about(), ...more })}`);
  }

  async all() {
    const [own, shared, messages, facts] = await Promise.all([this.ask("documents"), this.ask("documents", { public: true }), this.ask("messages"), this.ask("facts")]);
    const documents = [...own.documents.map((one) => [one, false]), ...shared.documents.map((one) => [one, true])];
    const shown = [
      this.group("documents", documents.map(([one, shared_]) => this.entry(this.opener(one.id, one.title || one.id, shared_), [one.collection, shared_ && say("public"), day(one.at)]))),
      this.group("facts", facts.facts.map((one) => this.entry(one.text, [day(one.at)]))),
      this.group("messages", messages.messages.map((one) => this.entry(one.content ?? one.text, [one.speaker || one.role, day(one.at)])).reverse()),
    ].filter(Boolean);
    return shown.length ? shown : [make("p", { class: "empty" }, say("none_kept"))];
  }

  async found() {
    const query = { query: this.query, limit: 8 };
    const [own, shared, messages] = await Promise.all([this.ask("documents", query), this.ask("documents", { ...query, public: true }), this.ask("messages", query)]);
    const terms = words(this.query);
    const passage = (one, public_) => this.entry([this.opener(one.document, one.title || one.source, public_, one.id), "\n", ...marked(one.text, terms)], [public_ && say("public"), one.score.toFixed(2)]);
    const shown = [
      this.group("documents", [...own.passages.map((one) => passage(one, false)), ...shared.passages.map((one) => passage(one, true))]),
      this.group("messages", messages.messages.map((one) => this.entry(marked(one.text, terms), [one.speaker, day(one.at), one.score.toFixed(2)]))),
    ].filter(Boolean);
    return shown.length ? shown : [make("p", { class: "empty" }, say("none_found"))];
  }

  group(name, entries) {
    return entries.length > 0 && make("div", {}, make("h3", {}, say(name)), make("ul", { class: "entries" }, entries));
  }

  entry(text, about) {
    const told = about.filter(Boolean).join(" · ");
    return make("li", {}, text, told && make("small", {}, told));
  }

  opener(id, title, isPublic, passage = "") {
    return make("button", { type: "button", class: "link", onclick: () => this.open(id, isPublic, passage) }, title);
  }

  // A document with its passages as they were cut; the one that was found is marked, and words of the question.
  async open(id, isPublic, passage) {
    try {
      const { document: one } = await get(`/v1/documents/${encodeURIComponent(id)}?${new URLSearchParams({ user: this.about(), public: isPublic })}`);
      const terms = words(this.query);
      const cuts = one.passages.map((cut) => make("span", { class: cut.id === passage ? "cut found" : "cut" }, marked(cut.text, terms)));
      const close = make("button", { type: "button", onclick: () => this.show() }, say("close"));
      const text = make("div", { class: "document", tabindex: "0", role: "region", "aria-label": one.title || one.id }, cuts.length ? cuts : one.text);
      this.place.replaceChildren(make("div", { class: "row" }, make("h3", {}, one.title || one.id), close), text);
      (text.querySelector(".found") ?? text).scrollIntoView({ block: "nearest" });
      close.focus();
    } catch (error) {
      this.fail(error);
    }
  }

  async add(file) {
    const [chosen] = file.files;
    if (!chosen) return;
    try {
      const report = await post(`/v1/documents/files/${encodeURIComponent(chosen.name)}?${new URLSearchParams({ user: this.about() })}`, chosen);
      await this.show();
      this.note.textContent = say("added_document", { name: chosen.name, passages: report.passages });
    } catch (error) {
      this.fail(error);
    }
  }
}

export const library = (about, fail) => new Library(by("library"), about, fail);
