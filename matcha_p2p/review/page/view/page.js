/** The page: the verifier verifies the transcript, and the page draws the findings. */

import { board } from "./board.js";
import { chancesChart, chart } from "./chart.js";
import { furnish, onChoice, translate } from "./chrome.js";
import { byId, html } from "./elements.js";
import { isolated, say } from "./language.js";
import { endWords, explain, narrate } from "./words.js";

/** @typedef {import("./story.js").Story} Story */
/** @typedef {"both" | "public" | "first" | "second"} View */

/** @type {View[]} */
const VIEWS = ["both", "public", "first", "second"];
const SPEEDS = [
  ["SLOW", 3200],
  ["NORMAL", 1700],
  ["FAST", 800],
];
const SWIPE = 40; // pixels

/** The reader's choices. */
const state = {
  /** @type {Story | null} */
  story: null,
  seconds: 0,
  broken: "",
  part: 0,
  at: 0,
  /** @type {View} */
  view: "both",
  speed: 1,
  playing: 0,
};

/** @returns {Uint8Array} the transcript, as the page carries it */
function transcript() {
  const text = atob((byId("transcript").textContent ?? "").trim());
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Verify the transcript in a worker, so that the page goes on answering. */
function verify() {
  try {
    const source = new Blob([`"use strict";(${verifierProgram})();`], {
      type: "text/javascript",
    });
    const address = URL.createObjectURL(source);
    const policy = window.trustedTypes?.createPolicy("matcha", {
      createScriptURL: (url) => (url === address ? url : ""),
    });
    const worker = new Worker(
      /** @type {string} */ (policy ? policy.createScriptURL(address) : address),
    );
    worker.onmessage = ({ data }) => hear(data);
    worker.onerror = (event) => hear({ broken: event.message || "Worker" });
    worker.postMessage(transcript());
  } catch (error) {
    hear({ broken: String(error) });
  }
}

/**
 * Take what the worker has to tell.
 * @param {{ part?: number, story?: Story, seconds?: number, broken?: string }} news
 */
function hear({ part = state.part, story, seconds = 0, broken = "" }) {
  Object.assign(state, { part, seconds, broken });
  if (story) {
    state.story = story;
    state.view = story.opened.some(Boolean) ? "both" : "public";
    state.at = Math.max(
      0,
      Math.min(Math.trunc(Number(location.hash.slice(1))) - 1 || 0, story.steps.length - 1),
    );
    byId("game").hidden = !story.steps.length;
    document.title = title();
  }
  drawAll();
}

/** @returns {string} */
function title() {
  const [first, second] = state.story?.names ?? [];
  return second === undefined
    ? "Matcha"
    : say("TITLE", { first: isolated(first), second: isolated(second) });
}

/** Draw what depends on the language, and then the step. */
function drawAll() {
  translate();
  drawVerdict();
  const { story } = state;
  if (!story) return;
  document.title = title();
  byId("names").replaceChildren(
    ...story.names.flatMap((name, seat) => [
      ...(seat ? [html("span", { class: "versus" }, " · ")] : []),
      html("bdi", {}, name),
    ]),
  );
  byId("digest").textContent = story.digest;
  if (!story.steps.length) return;
  drawViews(story);
  drawSpeeds();
  drawSets(story);
  drawWhole(story);
  drawStep();
}

/** Show the verifier's findings. */
function drawVerdict() {
  const { story, broken, part } = state;
  const box = byId("verdict");
  box.className = broken || story?.failure ? "bad" : story ? "good" : "checking";
  const lines = broken
    ? [say("COULD_NOT", { why: broken })]
    : story
      ? verdictWords(story)
      : [say("CHECKING", { percent: Math.round(100 * part) })];
  box.replaceChildren(...lines.map((line) => html("p", {}, line)));
  const bar = byId("bar");
  bar.hidden = Boolean(story || broken);
  bar.setAttribute("value", String(part));
}

/** @param {Story} story @returns {string[]} */
function verdictWords({ verdict, failure, waiting, entries, records, names, steps }) {
  if (failure) {
    const breach = say(`BREACH_${failure.check}`);
    const signed =
      failure.seat === null
        ? say("UNSIGNED")
        : say("SIGNED", { name: isolated(names[failure.seat] ?? ""), seat: failure.seat });
    return [
      say("INVALID"),
      say("BREAKS", { item: failure.entry, check: failure.check, breach }),
      signed,
      say("SOUND_BEFORE"),
    ];
  }
  const last = steps.at(-1);
  const ended =
    last?.snapshot[9][0] === "end" ? [endWords(last.snapshot, names.map(isolated))] : [];
  const due =
    waiting === null || names[waiting] === undefined
      ? []
      : [say("WAITING", { name: isolated(names[waiting]) })];
  return [
    say("VALID", { entries, records, seconds: state.seconds.toFixed(1) }),
    ...ended,
    say(`VERDICT_${verdict}`),
    ...due,
  ];
}

/** @param {Story} story */
function drawViews({ names, opened }) {
  const open = opened.some(Boolean);
  const options = VIEWS.filter(
    (view) => view === "public" || view === "first" || view === "second" || open,
  );
  /** @type {Record<View, string>} */
  const words = {
    both: say("VIEW_BOTH"),
    public: say("VIEW_PUBLIC"),
    first: isolated(names[0]),
    second: isolated(names[1]),
  };
  byId("view").replaceChildren(
    ...options.map((view) =>
      html("option", { value: view, selected: view === state.view }, words[view]),
    ),
  );
}

/** Offer the speeds. */
function drawSpeeds() {
  byId("speed").replaceChildren(
    ...SPEEDS.map(([key], place) =>
      html("option", { value: place, selected: place === state.speed }, say(String(key))),
    ),
  );
}

/** The sets and their rounds, each a button. @param {Story} story */
function drawSets({ steps }) {
  const sets = html("ol", { class: "sets" });
  steps.forEach((step, place) => {
    if (step.name === "table") {
      const number = step.snapshot[1];
      sets.append(html("li", {}, jump(say("SET_NUMBER", { number }), place, "set")));
    } else if (step.name === "round") {
      const [number] = step.snapshot[5].findLast((round) => round[2].length) ?? [0];
      sets.lastElementChild?.append(
        jump(String(number), place, "round", say("ROUND_NUMBER", { number })),
      );
    } else if (step.name === "end") {
      sets.lastElementChild?.append(jump("★", place, "round", say("THE_END")));
    }
  });
  byId("sets").replaceChildren(sets);
}

/** @param {string} text @param {number} place @param {string} look @param {string} [label] */
function jump(text, place, look, label = text) {
  return html(
    "button",
    {
      type: "button",
      class: look,
      "data-step": place,
      "aria-label": label,
      onclick: () => go(place),
    },
    text,
  );
}

/** The whole game in sentences. @param {Story} story */
function drawWhole({ steps }) {
  const lines = steps.map((step, place) =>
    html("li", { "data-step": place, class: step.name }, narrate(step, viewpoint()).join(" ")),
  );
  byId("whole").replaceChildren(...lines);
}

/** @returns {import("./words.js").Viewpoint} */
function viewpoint() {
  const { names, opened } = /** @type {Story} */ (state.story);
  const shows = [
    ["both", "first"],
    ["both", "second"],
  ].map((views, seat) => opened[seat] && views.includes(state.view));
  return { names, shows };
}

/** Draw the current step. */
function drawStep() {
  const { story, at } = state;
  if (!story) return;
  const step = story.steps[at];
  byId("board").replaceChildren(board(step, viewpoint(), state.view === "second" ? 1 : 0));
  byId("caption").replaceChildren(
    ...narrate(step, viewpoint()).map((line) => html("p", {}, line)),
  );
  byId("why").replaceChildren(...explain(step, story.names).map((line) => html("p", {}, line)));
  byId("chart").replaceChildren(chart(story.steps, story.names, at));
  const chances = chancesChart(story.steps, story.names, at);
  byId("estimate").hidden = !chances;
  byId("chances").replaceChildren(...(chances ? [chances] : []));
  byId("legend").replaceChildren(
    ...story.names.map((name, seat) =>
      html("span", { class: `seat${seat}` }, html("bdi", {}, name)),
    ),
  );
  const position = say("STEP", { number: at + 1, count: story.steps.length });
  byId("position").textContent = position;
  const slider = /** @type {HTMLInputElement} */ (byId("slider"));
  Object.assign(slider, { max: String(story.steps.length - 1), value: String(at) });
  slider.setAttribute("aria-valuetext", position);
  mark(at);
  const play = byId("play");
  play.setAttribute("aria-label", say(state.playing ? "PAUSE" : "PLAY"));
  play.classList.toggle("playing", state.playing > 0);
}

/** Mark where the game stands, in the list of sets and in the whole game. @param {number} at */
function mark(at) {
  const buttons = [...document.querySelectorAll("#sets button")];
  const current = buttons.findLast((button) => Number(button.getAttribute("data-step")) <= at);
  for (const button of buttons) {
    if (button === current) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  }
  for (const line of document.querySelectorAll("#whole li"))
    line.classList.toggle("here", line.getAttribute("data-step") === String(at));
}

/** @param {number} place of a step; the first or the last where there is none */
function go(place) {
  const count = state.story?.steps.length ?? 0;
  state.at = Math.max(0, Math.min(place, count - 1));
  drawStep();
}

/** Go on to where cards are turned up next. */
function goToReveal() {
  const { story, at } = state;
  const next =
    story?.steps.findIndex((step, place) => place > at && step.name === "round") ?? -1;
  go(next < 0 ? (story?.steps.length ?? 1) - 1 : next);
}

/** Play on by itself, or stop. */
function togglePlay() {
  if (state.playing) {
    stop();
  } else {
    if (state.at === (state.story?.steps.length ?? 0) - 1) go(0);
    state.playing = window.setInterval(playOn, Number(SPEEDS[state.speed][1]));
  }
  drawStep();
}

/** Go a step on; stop at the last step. */
function playOn() {
  go(state.at + 1);
  if (state.at === (state.story?.steps.length ?? 0) - 1) {
    stop();
    drawStep();
  }
}

/** Play no more. */
function stop() {
  window.clearInterval(state.playing);
  state.playing = 0;
}

/** @param {number} by how many steps, by hand */
function turn(by) {
  stop();
  go(state.at + by);
}

/** @param {View} view */
function look(view) {
  state.view = view;
  drawAll();
}

/** What a key does. @param {KeyboardEvent} event */
function press(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.altKey || event.ctrlKey || event.metaKey || !state.story?.steps.length) return;
  if (
    target.matches("select, input, summary") ||
    (event.key === " " && target.matches("button"))
  )
    return;
  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowRight: () => turn(1),
    ArrowLeft: () => turn(-1),
    Home: () => turn(-Infinity),
    End: () => turn(Infinity),
    " ": togglePlay,
    n: goToReveal,
    v: () => {
      const views = [...byId("view").querySelectorAll("option")].map(({ value }) => value);
      look(/** @type {View} */ (views[(views.indexOf(state.view) + 1) % views.length]));
    },
  };
  if (!Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  keys[event.key]();
}

/** Let a finger turn the steps. */
function listenToTouch() {
  let start = 0;
  const table = byId("board");
  table.addEventListener(
    "touchstart",
    (event) => {
      start = event.changedTouches[0].clientX;
    },
    { passive: true },
  );
  table.addEventListener("touchend", (event) => {
    const moved = event.changedTouches[0].clientX - start;
    if (Math.abs(moved) >= SWIPE) turn(moved < 0 ? 1 : -1);
  });
}

/** Give the transcript to the reader as a file. */
function save() {
  const name = (state.story?.names ?? []).join("-").replace(/[^\p{L}\p{N}]+/gu, "-") || "game";
  const address = URL.createObjectURL(new Blob([/** @type {BlobPart} */ (transcript())]));
  html("a", { href: address, download: `${name}.matcha` }).click();
  URL.revokeObjectURL(address);
}

/** Begin. */
function begin() {
  furnish(drawAll);
  onChoice("view", (view) => look(/** @type {View} */ (view)));
  onChoice("speed", (speed) => {
    state.speed = Number(speed);
    if (state.playing) {
      stop();
      togglePlay();
    }
  });
  byId("slider").addEventListener("input", (event) => {
    stop();
    go(Number(/** @type {HTMLInputElement} */ (event.target).value));
  });
  /** @type {Record<string, () => void>} */
  const buttons = {
    first: () => turn(-Infinity),
    back: () => turn(-1),
    play: togglePlay,
    forward: () => turn(1),
    last: () => turn(Infinity),
    reveal: goToReveal,
    save,
  };
  for (const [id, work] of Object.entries(buttons)) byId(id).addEventListener("click", work);
  document.addEventListener("keydown", press);
  addEventListener("beforeprint", () => byId("all").setAttribute("open", ""));
  listenToTouch();
  drawAll();
  verify();
}

begin();
