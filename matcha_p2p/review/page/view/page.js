/** The page: the verifier verifies the transcript, and the page draws the findings. */

import { furnish, onChoice, translate } from "./chrome.js";
import { byId, html } from "./elements.js";
import { isolated, say, spoken } from "./language.js";
import { decoded, unpacked } from "./packed.js";
import { clickOfCard } from "./sound.js";

/**
 * @typedef {object} Findings of the verifier, in every game
 * @property {import("../verifier/transcript.js").Verdict} verdict
 * @property {import("../verifier/transcript.js").Failure | null} failure
 * @property {number | null} waiting
 * @property {number[] | null} winners null while the game is undecided
 * @property {number} entries
 * @property {number} records
 * @property {string[]} names by seat
 * @property {string} digest
 * @property {any[]} seen by number of entries the game as the page draws it
 */
/**
 * @typedef {object} Mark a button that leads to a step
 * @property {string} text
 * @property {string} label in words
 * @property {boolean} begins whether a line of buttons begins with it
 */
/**
 * @typedef {object} GameView what the page shows of a game; `at` is a step, from 0
 * @property {Findings} findings
 * @property {number} count of steps
 * @property {() => string} title
 * @property {() => string[]} ended how the game ended, in words; empty while it goes on
 * @property {() => string[]} notes what of the page is not checked, in words
 * @property {() => number} wrong the first step, from 1, that differs from the checked game, or 0
 * @property {() => string[][]} looks what a reader may choose to see, and its words
 * @property {(at: number, look: string, better: Better | null) => HTMLElement} board
 * @property {(at: number, look: string) => string[]} lines what has happened, in words
 * @property {(at: number, look: string) => string[]} caption what stands under the board
 * @property {(at: number) => string[]} why
 * @property {(at: number) => void} draw the drawings beside the board
 * @property {(at: number) => string} kind of the step
 * @property {(at: number) => Mark | null} mark
 * @property {(at: number) => boolean} isGoal whether the button for the next goal stops here
 */
/**
 * @typedef {object} Mistakes as review/told.py writes them
 * @property {number[]} steps
 * @property {Record<string, string[][]>} sentences by language, of each step
 * @property {Record<string, unknown>[]} marks of each step
 */
/**
 * @typedef {Record<string, number[]>} Better a better move, which nobody has checked: numbers
 * by kind, as the game's page_mistakes.py writes them; without a kind for a pass
 */
/** @typedef {(findings: any) => GameView | Promise<GameView>} Viewer makes the view of what the worker has found */

const SPEEDS = [
  ["SLOW", 3200],
  ["NORMAL", 1700],
  ["FAST", 800],
];
const SWIPE = 40; // pixels
const NARROW = "(max-width: 59.99rem)"; // as in page.css

/** The reader's choices. */
const state = {
  /** @type {GameView | null} */
  view: null,
  /** @type {Mistakes | null} */
  mistakes: null,
  seconds: 0,
  broken: "",
  wrong: 0,
  part: 0,
  at: 0,
  look: "",
  speed: 1,
  playing: 0,
};

/** @returns {Uint8Array} the transcript, as the page carries it */
function transcript() {
  return decoded(byId("transcript").textContent ?? "");
}

/**
 * Verify the transcript in a worker, so that the page goes on answering.
 * @param {Viewer} viewer
 */
async function verify(viewer) {
  try {
    const source = new Blob([await unpacked(VERIFIER)], { type: "text/javascript" });
    const address = URL.createObjectURL(source);
    const policy = window.trustedTypes?.createPolicy("matcha", {
      createScriptURL: (url) => (url === address ? url : ""),
    });
    const worker = new Worker(
      /** @type {string} */ (policy ? policy.createScriptURL(address) : address),
    );
    worker.onmessage = ({ data }) => hear(data, viewer);
    worker.onerror = (event) => hear({ broken: event.message || "Worker" }, viewer);
    worker.postMessage(transcript());
  } catch (error) {
    hear({ broken: String(error) }, viewer);
  }
}

/**
 * Take what the worker has to tell.
 * @param {{ part?: number, findings?: any, seconds?: number, broken?: string }} news
 * @param {Viewer} viewer
 */
async function hear({ part = state.part, findings, seconds = 0, broken = "" }, viewer) {
  Object.assign(state, { part, seconds, broken });
  if (findings) {
    try {
      state.mistakes = MISTAKES ? JSON.parse(await unpacked(MISTAKES)) : null;
      take(await viewer(findings));
    } catch (error) {
      state.broken = String(error);
    }
  }
  drawAll();
}

/** Show a game, unless the page tells another. @param {GameView} view */
function take(view) {
  const wrong = view.wrong();
  const step = Math.trunc(Number(location.hash.slice(1))) || 1;
  const at = Math.max(0, Math.min(step, view.count) - 1);
  Object.assign(state, { view, wrong, at, look: view.looks()[0]?.[0] ?? "" });
  byId("game").hidden = !isDrawn();
}

/** @returns {boolean} whether the steps of the game are shown */
function isDrawn() {
  return Boolean(state.view?.count) && !state.wrong;
}

/** Draw what depends on the language, and then the step. */
function drawAll() {
  translate();
  drawVerdict();
  const { view } = state;
  if (!view) return;
  const { names, digest } = view.findings;
  if (names.length > 1) document.title = view.title();
  byId("names").replaceChildren(
    ...names.flatMap((name, seat) => [
      ...(seat ? [html("span", { class: "versus" }, " · ")] : []),
      html("bdi", {}, name),
    ]),
  );
  byId("digest").textContent = digest;
  if (!isDrawn()) return;
  drawMistakes();
  drawLooks(view);
  drawSpeeds();
  drawMarks(view);
  drawWhole(view);
  drawStep();
}

/** Show the verifier's findings. */
function drawVerdict() {
  const { view, broken, part, wrong } = state;
  const box = byId("verdict");
  box.className =
    broken || wrong || view?.findings.failure ? "bad" : view ? "good" : "checking";
  const lines = broken
    ? [say("COULD_NOT", { why: broken })]
    : view
      ? verdictWords(view)
      : [say("CHECKING", { percent: Math.round(100 * part) })];
  const notes = view && !broken && !wrong ? [...countsWords(view), ...view.notes()] : [];
  if (isDrawn() && state.mistakes) notes.push(say("JUDGED"));
  box.replaceChildren(
    ...lines.map((line) => html("p", {}, line)),
    ...notes.map((line) => html("p", { class: "note" }, line)),
  );
  const bar = byId("bar");
  bar.hidden = Boolean(view || broken);
  bar.setAttribute("value", String(part));
}

/** @param {GameView} view @returns {string[]} how much is checked, if all of it is valid */
function countsWords({ findings: { failure, entries, records } }) {
  return failure
    ? []
    : [say("COUNTS", { entries, records, seconds: state.seconds.toFixed(1) })];
}

/** @param {GameView} view @returns {string[]} */
function verdictWords(view) {
  const { verdict, failure, waiting, names } = view.findings;
  if (state.wrong) return [say("DIFFERS", { number: state.wrong }), say("CHECK_1")];
  if (failure) {
    const breach = say(`BREACH_${failure.check}`);
    const signed =
      failure.seat === null
        ? say("UNSIGNED")
        : say("SIGNED", { name: isolated(names[failure.seat] ?? ""), seat: failure.seat + 1 });
    return [
      say("INVALID"),
      say("BREAKS", { item: failure.entry, check: failure.check, breach }),
      signed,
      say("SOUND_BEFORE"),
    ];
  }
  const due =
    waiting === null || names[waiting] === undefined
      ? []
      : [say("WAITING", { name: isolated(names[waiting]) })];
  return [say("VALID"), ...view.ended(), say(`VERDICT_${verdict}`), ...due];
}

/** Offer what the reader may see. @param {GameView} view */
function drawLooks(view) {
  const looks = view.looks();
  byId("looks").hidden = looks.length < 2;
  byId("view").replaceChildren(
    ...looks.map(([value, words]) =>
      html("option", { value, selected: value === state.look }, words),
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

/** The parts of the game, each a button. @param {GameView} view */
function drawMarks(view) {
  const sets = html("ol", { class: "sets" });
  for (let place = 0; place < view.count; place += 1) {
    const found = view.mark(place);
    if (!found) continue;
    const { text, label, begins } = found;
    if (begins) sets.append(html("li", {}, jump(text, place, "set", label)));
    else sets.lastElementChild?.append(jump(text, place, "round", label));
  }
  byId("sets").replaceChildren(sets);
}

/** @param {string} text @param {number} place @param {string} look @param {string} label */
function jump(text, place, look, label) {
  return html(
    "button",
    {
      type: "button",
      class: look,
      "data-step": place,
      "aria-label": label,
      onclick: () => {
        byId("board").scrollIntoView({ block: "nearest" });
        go(place);
      },
    },
    text,
  );
}

/** The mistakes, each a button that leads to its step. */
function drawMistakes() {
  const { mistakes } = state;
  const steps = mistakes?.steps ?? [];
  byId("mistake").hidden = !steps.length;
  byId("judged").hidden = !mistakes;
  const lines = steps.map((at) => {
    const [, text] = judgedWords(at);
    return html("li", {}, jump(text, at, "judgement", text));
  });
  const notes = steps.length ? ["MISTAKE_KEY", "BETTER"] : ["NO_MISTAKES"];
  byId("mistakes").replaceChildren(
    html("p", { class: "note" }, notes.map((key) => say(key)).join(" ")),
    html("ol", {}, ...lines),
  );
}

/** The whole game in sentences. @param {GameView} view */
function drawWhole(view) {
  const lines = Array.from({ length: view.count }, (_, place) =>
    html(
      "li",
      { "data-step": place, class: view.kind(place) },
      view.lines(place, state.look).join(" "),
    ),
  );
  byId("whole").replaceChildren(...lines);
}

/** Draw the current step. */
function drawStep() {
  const { view, at, look } = state;
  if (!view || !isDrawn()) return;
  byId("board").dataset.kind = view.kind(at);
  byId("board").replaceChildren(view.board(at, look, betterAt(at)));
  byId("caption").replaceChildren(
    ...view.caption(at, look).map((line) => html("p", {}, line)),
    ...judgedWords(at).map((line) => html("p", { class: "mistake" }, line)),
  );
  const why = view.why(at);
  byId("reasons").hidden = !why.length;
  byId("why").replaceChildren(...why.map((line) => html("p", {}, line)));
  view.draw(at);
  const position = say("STEP", { number: at + 1, count: view.count });
  byId("position").textContent = position;
  const slider = /** @type {HTMLInputElement} */ (byId("slider"));
  Object.assign(slider, { max: String(view.count - 1), value: String(at) });
  slider.setAttribute("aria-valuetext", position);
  mark(at);
  const play = byId("play");
  play.setAttribute("aria-label", say(state.playing ? "PAUSE" : "PLAY"));
  play.classList.toggle("playing", state.playing > 0);
  uncoverCaption();
}

/** Where the controls stay at the bottom of a narrow window, scroll until they cover no words. */
function uncoverCaption() {
  const caption = byId("caption");
  const words = caption.lastElementChild?.getBoundingClientRect();
  const controls = byId("controls").getBoundingClientRect();
  if (!words || !window.matchMedia(NARROW).matches) return;
  const begins = caption.getBoundingClientRect().top < window.innerHeight;
  if (begins && words.bottom > controls.top)
    window.scrollBy(0, Math.ceil(words.bottom - controls.top));
}

/** Mark where the game stands, in the list of sets and in the whole game. @param {number} at */
function mark(at) {
  const buttons = [...document.querySelectorAll("#sets button")];
  const current = buttons.findLast((button) => Number(button.getAttribute("data-step")) <= at);
  for (const button of buttons) {
    if (button === current) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  }
  for (const button of document.querySelectorAll("#mistakes button")) {
    if (button.getAttribute("data-step") === String(at))
      button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  }
  for (const line of document.querySelectorAll("#whole li"))
    line.classList.toggle("here", line.getAttribute("data-step") === String(at));
}

/** @param {number} place of a step; the first or the last where there is none */
function go(place) {
  const count = state.view?.count ?? 0;
  const at = Math.max(0, Math.min(place, count - 1));
  const sound = /** @type {HTMLInputElement} */ (byId("sound"));
  if (at !== state.at && sound.checked) clickOfCard();
  state.at = at;
  drawStep();
}

/** Go on to the next goal, or to the last step. */
function goToGoal() {
  const { view, at } = state;
  if (!view) return;
  let next = at + 1;
  while (next < view.count && !view.isGoal(next)) next += 1;
  go(next);
}

/** @param {number} at @returns {string[]} which mistake a step is, and what was wrong, in words */
function judgedWords(at) {
  const { mistakes } = state;
  const place = mistakes?.steps.indexOf(at) ?? -1;
  if (!mistakes || place < 0) return [];
  const number = say("MISTAKE_AT", { number: place + 1, count: mistakes.steps.length });
  return [number, ...(mistakes.sentences[spoken()][place] ?? [])];
}

/** @param {number} at @returns {Better | null} the move that was better at a mistake */
function betterAt(at) {
  const { mistakes } = state;
  const place = mistakes?.steps.indexOf(at) ?? -1;
  if (!mistakes || place < 0) return null;
  const kinds = Object.entries(mistakes.marks[place] ?? {});
  return Object.fromEntries(
    kinds.map(([kind, all]) => [
      kind,
      Array.isArray(all) ? all.filter((each) => Number.isInteger(each)) : [],
    ]),
  );
}

/** Go on to the next mistake, after the last one to the first; or back. @param {boolean} back */
function goToMistake(back) {
  const steps = state.mistakes?.steps ?? [];
  const next = back
    ? (steps.findLast((step) => step < state.at) ?? steps.at(-1))
    : (steps.find((step) => step > state.at) ?? steps[0]);
  if (next === undefined) return;
  stop();
  go(next);
}

/** Play on by itself, or stop. */
function togglePlay() {
  if (state.playing) {
    stop();
  } else {
    if (state.at === (state.view?.count ?? 0) - 1) go(0);
    state.playing = window.setInterval(playOn, Number(SPEEDS[state.speed][1]));
  }
  drawStep();
}

/** Go a step on; stop at the last step. */
function playOn() {
  go(state.at + 1);
  if (state.at === (state.view?.count ?? 0) - 1) {
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

/** @param {string} look */
function see(look) {
  state.look = look;
  drawAll();
}

/** What a key does. @param {KeyboardEvent} event */
function press(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.altKey || event.ctrlKey || event.metaKey || !isDrawn()) return;
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
    n: goToGoal,
    a: () => goToMistake(false),
    A: () => goToMistake(true),
    v: () => {
      const looks = [...byId("view").querySelectorAll("option")].map(({ value }) => value);
      see(looks[(looks.indexOf(state.look) + 1) % looks.length]);
    },
  };
  if (!Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  keys[event.key]();
}

/** Let the cards that move arrive at once. */
function endMotion() {
  for (const motion of document.getAnimations()) motion.finish();
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
  const name =
    (state.view?.findings.names ?? []).join("-").replace(/[^\p{L}\p{N}]+/gu, "-") || "game";
  const address = URL.createObjectURL(new Blob([/** @type {BlobPart} */ (transcript())]));
  html("a", { href: address, download: `${name}.matcha` }).click();
  URL.revokeObjectURL(address);
}

/** Begin. @param {Viewer} viewer */
export function begin(viewer) {
  furnish(drawAll);
  onChoice("view", see);
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
    reveal: goToGoal,
    mistake: () => goToMistake(false),
    save,
  };
  for (const [id, work] of Object.entries(buttons)) byId(id).addEventListener("click", work);
  for (const kind of ["keydown", "pointerdown"]) addEventListener(kind, endMotion, true);
  document.addEventListener("keydown", press);
  addEventListener("beforeprint", () => byId("all").setAttribute("open", ""));
  listenToTouch();
  drawAll();
  verify(viewer);
}
