// A turn, stage by stage, out of its trace (docs/trace.md): what came in, what was left out and why, what goes out.

import { bar, count, make, marked, ms } from "./parts.js";
import { label, lane, say } from "./words.js";

const MOST = 8; // candidates of a list
const MANY = 12; // dropped things of a list

// `named(id)` gives the name and room of a thing, `whole` the tokens of all of the home, `size` its things.
export function funnel(trace, { named, whole, size }) {
  const view = { trace, chain: trace.trace, named, whole, size, chosen: chosenIds(trace.verdict), language: document.documentElement.lang };
  return [headline(view), narrowing(view), tokenMeters(view), make("div", {}, stages(view)), timeMeters(view)];
}

export function chosenIds(verdict) {
  const lists = [verdict.calls, verdict.proposed, verdict.reads, verdict.mentioned].filter(Boolean).flat();
  return [...new Set([...lists.map((one) => one.device_id), ...(verdict.options ?? []).flatMap((one) => one.device_ids)])];
}

const candidatesOf = (lists) => lists.flatMap((one) => one.candidates);
const devicesOf = (lists) => new Set(candidatesOf(lists).map((one) => one.ref.id));

function headline({ trace }) {
  return make("div", { class: "headline" }, make("q", {}, trace.text), make("span", { class: "verdict" }, label("verdict", trace.verdict.kind)));
}

function meantKey({ verdict }, chosen) {
  if (!chosen.length) return "narrow_meant_none";
  return verdict.kind === "clarify" ? "narrow_asked" : "narrow_meant";
}

function narrowing({ trace, chain, size, chosen, language }) {
  const found = candidatesOf(chain.found).length;
  const inQuestion = devicesOf(chain.shortlists).size;
  const rows = [
    size && inQuestion && [size, say("narrow_home", { count: count(size, language) })],
    inQuestion && [inQuestion, say("narrow_candidates", { count: count(inQuestion, language) })],
    inQuestion && [chosen.length, say(meantKey(trace, chosen), { count: count(chosen.length, language) })],
    found && [found, say("narrow_found", { count: count(found, language) })],
  ].filter(Boolean);
  const most = Math.max(1, ...rows.map(([number]) => number));
  const items = rows.map(([number, text]) => {
    const row = make("li", {}, text);
    row.style.width = `${35 + 65 * Math.sqrt(number / most)}%`; // area, so that a few are still seen beside a thousand
    return row;
  });
  return make("ol", { class: "narrow" }, items, make("li", {}, say("narrow_tokens", { count: count(trace.context.tokens, language) })));
}

function meters(title, rows) {
  return make("div", {}, make("h3", {}, title), make("div", { class: "meters" }, rows.map(([name, share, figure, weak]) => [make("span", {}, name), bar(share, figure, weak), make("span", { class: "figure" }, figure)])));
}

function tokenMeters({ trace, whole, language }) {
  const given = trace.context.tokens;
  const most = Math.max(given, whole || 0, 1);
  const rows = [[say("tokens_given"), given / most, count(given, language)]];
  if (whole) rows.push([say("tokens_whole"), whole / most, count(whole, language), true]);
  return meters(say("tokens"), rows);
}

function shareMeters({ chain, language }) {
  const rows = Object.entries(chain.context.usage ?? {}).map(([name, use]) => {
    const figures = { used: count(use.used, language), total: count(use.total, language) };
    return [label("share", name), use.total ? use.used / use.total : 0, say("share_of", figures)];
  });
  return rows.length > 0 && meters(say("budget"), rows);
}

function timeMeters({ trace, chain }) {
  const most = Math.max(...chain.stages.map((stage) => stage.ms), 0.001);
  const rows = chain.stages.map((stage) => [label("stage", stage.name), stage.ms / most, ms(stage.ms)]);
  return meters(`${say("times")}: ${ms(trace.ms)}`, rows);
}

// The stages.

function stage(view, name, flow, inside, open = false) {
  const took = view.chain.stages.filter((one) => one.name === name).reduce((sum, one) => sum + one.ms, 0);
  const head = make("summary", {}, make("h4", {}, label("stage", name)), make("span", { class: "flow" }, flow), took > 0 && make("span", { class: "ms" }, ms(took)));
  return make("details", { class: "stage", open }, head, make("div", { class: "in" }, inside));
}

function stages(view) {
  const { trace, chain, language } = view;
  const asked = chain.gate.filter((step) => step.chosen === "asked");
  const dropped = chain.shortlists.reduce((sum, one) => sum + one.dropped.length, 0);
  const words = chain.reading.queries.flatMap((query) => query.tokens ?? []);
  const tokens = { tokens: count(trace.context.tokens, language), total: count(trace.context.total, language), messages: trace.messages.length };
  const shown = [
    stage(view, "understand", say("flow_words", { words: words.length, orders: chain.reading.queries.length }), understood(view)),
    trace.intent && stage(view, "intent", trace.intent.label, intent(trace)),
    stage(view, "rewrite", trace.query, rewritten(chain)),
  ];
  if (chain.shortlists.length) {
    const flow = { from: count(view.size || devicesOf(chain.shortlists).size, language), to: count(devicesOf(chain.shortlists).size, language), dropped };
    shown.push(stage(view, "recall", say("flow_found", flow), chain.shortlists.map((one) => homeShortlist(view, one)), true));
  }
  if (chain.gate.length) {
    const flow = { asked: asked.length, all: chain.gate.length, found: candidatesOf(chain.found).length };
    shown.push(stage(view, "sources", say("flow_sources", flow), sources(view), flow.found > 0));
  }
  const flow = { from: count(devicesOf(chain.shortlists).size, language), to: label("verdict", trace.verdict.kind) };
  shown.push(stage(view, "decide", say("flow_chosen", flow), decided(view), true));
  if (chain.model_calls.length) shown.push(stage(view, "model", String(chain.model_calls.length), pairs(chain.model_calls.map((call) => [call.purpose, `${call.outcome} · ${ms(call.ms)}`]))));
  shown.push(stage(view, "context", say("flow_tokens", tokens), context(view), true));
  return shown;
}

function pairs(rows) {
  const told = rows.filter(([, value]) => value !== "" && value !== null && value !== undefined);
  return told.length > 0 && make("dl", { class: "pairs" }, told.map(([name, value]) => [make("dt", {}, name), make("dd", {}, String(value))]));
}

function lanes(evidence) {
  const items = evidence.map((one) => make("li", {}, make("span", { title: one.detail || undefined }, lane(one.lane)), make("span", {}, one.score.toFixed(2)), bar(one.score, one.lane)));
  return make("ul", { class: "lanes" }, items);
}

function understood({ chain }) {
  return chain.reading.queries.map((query) => {
    const sure = { overall: query.confidence.overall, ...query.confidence.slots };
    const value = query.value && [query.value.number, query.value.unit, query.value.text].filter(Boolean).join(" ");
    const minus = query.things.minus.flatMap((one) => one.tokens ?? one.base?.tokens ?? []).map((token) => token.text);
    return [
      make("ul", { class: "chips" }, (query.tokens ?? []).map((token) => make("li", {}, token.text, " ", make("small", {}, token.kind)))),
      pairs([
        [say("action"), [query.action, ...query.action_cluster.slice(0, 4)].join(" · ")],
        [say("quantifier"), query.quantifier],
        [say("value"), value],
        [say("excluded"), minus.join(", ")],
        [say("conditions"), query.conditions.map((one) => one.text).join("; ")],
        [say("unplaced"), query.unplaced.join(" ")],
      ]),
      make("div", {}, make("h3", {}, say("sure")), lanes(Object.entries(sure).map(([name, score]) => ({ lane: name, score })))),
    ];
  });
}

function intent({ intent: found }) {
  return [pairs([[say("source"), found.source], [say("action"), found.act], [say("reason"), found.reason], [say("decided_by"), found.by]]), lanes([{ lane: say("sure"), score: found.confidence }])];
}

function rewritten(chain) {
  return pairs([[say("query"), chain.rewrite?.query], [say("reason"), chain.rewrite?.reason], [say("decided_by"), chain.rewrite?.by]]);
}

// One row a thing: its best command, with what each reason for it counted.
function homeShortlist(view, shortlist) {
  const best = new Map();
  for (const one of shortlist.candidates) if (!best.has(one.ref.id)) best.set(one.ref.id, one);
  const rows = [...best.values()].sort((a, b) => view.chosen.includes(b.ref.id) - view.chosen.includes(a.ref.id) || b.score - a.score);
  const cards = rows.slice(0, MOST).map((one) => {
    const [name, room] = view.named(one.ref.id);
    return card({ name, where: room, what: String(one.data).split("#").pop(), score: one.score, evidence: one.evidence, chosen: view.chosen.includes(one.ref.id) });
  });
  return [cards, note(rows.length, cards.length), droppedList(view, shortlist.dropped)];
}

function card({ name, where, what, score, evidence, chosen, passage }) {
  const head = make("header", {}, make("strong", {}, name), where && make("span", { class: "where" }, where), what && make("span", { class: "what" }, what), chosen && make("span", { class: "verdict" }, say("chosen")), make("span", { class: "score" }, score.toFixed(2)));
  return make("div", { class: chosen ? "candidate chosen" : "candidate" }, head, passage && make("p", { class: "passage" }, passage), lanes(evidence));
}

function note(all, shown) {
  return all > shown && make("p", { class: "hint" }, say("only_first", { shown, count: all }));
}

function droppedList(view, dropped) {
  if (!dropped.length) return make("p", { class: "hint" }, say("none_dropped"));
  const rows = dropped.slice(0, MANY).map((one) => {
    const [name, room] = view.named(one.id);
    const why = one.stage === "exclude" ? say("excluded_by") : `${one.stage}: ${one.reason}`;
    return make("li", {}, make("b", {}, name), room && ` (${room})`, ` — ${why}`);
  });
  return make("div", {}, make("h3", {}, say("dropped")), make("ul", { class: "dropped" }, rows), note(dropped.length, rows.length));
}

export const textOf = (candidate) => (typeof candidate.data === "string" ? candidate.data : candidate.data?.text ?? "");

function sources(view) {
  const { chain } = view;
  const gate = pairs(chain.gate.map((step) => [label("stage", step.what), `${step.chosen}: ${step.reason}`]));
  const judged = chain.sufficiency;
  const enough = judged && pairs([[say("enough"), say(judged.enough ? "enough_yes" : "enough_no", { reason: judged.reason })]]);
  const found = chain.found.filter((one) => one.candidates.length || one.dropped.length).map((one) => {
    const terms = Object.keys(one.weights);
    const cards = one.candidates.slice(0, MOST).map((candidate) => {
      const name = candidate.data?.title || candidate.data?.speaker || candidate.ref.id;
      return card({ name, where: candidate.data?.at?.slice?.(0, 10), score: candidate.score, evidence: candidate.evidence, passage: marked(textOf(candidate), terms) });
    });
    return [make("h3", {}, label("stage", one.source)), cards, note(one.candidates.length, cards.length), one.dropped.length > 0 && droppedList(view, one.dropped)];
  });
  return [gate, enough, found];
}

function decided({ trace, named }) {
  const { verdict, receipt } = trace;
  const thing = (one) => [one.name, one.room && `(${one.room})`].filter(Boolean).join(" ");
  const call = (one) => [one.command_id, Object.entries(one.arguments ?? {}).map(([name, value]) => `${name}=${value}`).join(" ")].filter(Boolean).join(" ");
  return pairs([
    ...[...(verdict.calls ?? []), ...(verdict.proposed ?? [])].map((one) => [say("to_do"), `${thing(one)}: ${call(one)}`]),
    ...(verdict.reads ?? []).map((one) => [thing(one), `${one.value ?? say("nothing_reported")} · ${one.source}`]),
    [say("reason"), verdict.question ?? verdict.message],
    ...(verdict.options ?? []).map((one, index) => [String(index + 1), one.label]),
    ...(verdict.excluded ?? []).map((id) => [say("excluded"), named(id)[0]]),
    ...(verdict.conditions ?? []).map((one) => [say("conditions"), `${one.text}: ${one.holds}`]),
    ...(verdict.refusals ?? []).map((one) => [say("refused"), one.message]),
    ...(receipt?.outcomes ?? []).map((one) => [say("outcome"), [thing(one), one.status, one.message].filter(Boolean).join(" · ")]),
  ]);
}

function context(view) {
  const { trace, chain, named } = view;
  const texts = trace.messages.map((message) => {
    const content = typeof message.content === "string" ? message.content : JSON.stringify(message.content, null, 1);
    return make("div", { class: "message" }, make("header", {}, label("role", message.role)), make("pre", {}, content));
  });
  const copy = make("button", { type: "button", onclick: () => copyText(copy, trace.messages) }, say("copy_text"));
  const trimmed = chain.context.trimmed.map((one) => make("li", {}, make("b", {}, one.id), ` — ${one.stage}: ${one.reason}`));
  const left = chain.briefing.left_out.map((id) => make("li", {}, named(id)[0]));
  return [
    make("div", { class: "row" }, make("h3", {}, `${say("exact_text")} · ${chain.context.counted_by}`), copy),
    texts,
    shareMeters(view),
    left.length > 0 && make("div", {}, make("h3", {}, say("left_out")), make("ul", { class: "dropped" }, left)),
    trimmed.length > 0 && make("div", {}, make("h3", {}, say("trimmed")), make("ul", { class: "dropped" }, trimmed)),
  ];
}

async function copyText(button, messages) {
  await navigator.clipboard?.writeText(JSON.stringify(messages, null, 2));
  button.textContent = say("copied");
}
