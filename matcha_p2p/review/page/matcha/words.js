/** The events in sentences, as matcha's own replay tells the events. */

import { ZERO, numberOf, suitOf } from "../verifier/faces.js";
import { beats, demandsNumber, matches, other } from "../verifier/rules.js";
import { isolated, say } from "../view/language.js";

/** @typedef {import("./story.js").Faces} Faces */
/** @typedef {import("./story.js").Step} Step */
/** @typedef {import("../verifier/rules.js").Resolution} Resolution */
/** @typedef {import("../verifier/rules.js").Snapshot} Snapshot */
/**
 * @typedef {{ names: string[], shows: boolean[] }} Viewpoint shows: whose open cards are told
 */

export const KINDS = ["leaf", "bowl", "water", "scoop", "whisk"];
const MATS = "abcdef";
const KINDS_KEYS = ["LEAF", "BOWL", "WATER", "SCOOP", "WHISK"];

/** @param {number} mat @returns {string} */
export function matLetter(mat) {
  return MATS[mat];
}

/** @param {number} face @returns {string} leaf 3, or zero */
export function cardWords(face) {
  if (face === ZERO) return say("ZERO");
  return say("CARD", { suit: kindWords(suitOf(face)), number: numberOf(face) });
}

/** @param {number} kind 0 .. 4 @returns {string} */
export function kindWords(kind) {
  return say(`TOKEN_${KINDS_KEYS[kind]}`);
}

/** @param {string[]} words @returns {string} */
function listed(words) {
  return words.join(say("COMMA")) || say("NONE");
}

/** @param {readonly number[]} tokens @returns {string} leaf 2, whisk 1 */
export function tokensWords(tokens) {
  const held = tokens.flatMap((count, kind) =>
    count ? [say("HELD", { token: kindWords(kind), count })] : [],
  );
  return listed(held);
}

/** @param {[number, number][]} cards slot and face @returns {string} */
function numbered(cards) {
  return listed(
    cards.map(([slot, face]) => say("NUMBERED", { number: slot + 1, card: cardWords(face) })),
  );
}

/**
 * Return the face of the card that a seat has laid at a mat, as far as it may be told.
 * @param {Step} step @param {number} seat @param {number} mat @param {Viewpoint} view
 * @returns {number | null | undefined} undefined without a card
 */
export function faceAt({ snapshot, hands }, seat, mat, view) {
  for (const [, turns, resolutions] of snapshot[5]) {
    const turn = turns.find(
      (each) => each[0] === "play" && each[1] === seat && each[2] === mat,
    );
    if (turn?.[3] === undefined) continue;
    const shown = resolutions.find((each) => each[0] === mat)?.[seat === 0 ? 1 : 2][0];
    return shown ?? (view.shows[seat] ? (hands[seat][turn[3]] ?? null) : null);
  }
  return undefined;
}

/** @param {Step} step @param {Viewpoint} view @returns {string[]} a fact a line */
export function narrate(step, view) {
  const names = view.names.map(isolated);
  const name = names[step.seat];
  switch (step.name) {
    case "table":
      return tableWords(step, name);
    case "dealt":
      return dealtWords(step, view, names);
    case "placed":
      return [placedWords(step, view, name)];
    case "passed":
      return [say("PASSED", { name })];
    case "passed-auto":
      return [say("PASSED_AUTO", { name })];
    case "round":
      return roundWords(step, names);
    case "kept":
      return keptWords(step, view, names);
    default:
      return [endWords(step.snapshot, names)];
  }
}

/** @param {Step} step @param {string} name @returns {string[]} */
function tableWords({ snapshot, zeros }, name) {
  const [, number, , table] = snapshot;
  const lines = [say("SET", { number, name })];
  if (zeros) lines.push(say(`ZEROS_MET_${zeros}`));
  return [...lines, ...[1, 2, 3].map((round) => matsWords("MATS_OF_ROUND", round, table))];
}

/**
 * @param {string} key
 * @param {number} number
 * @param {readonly number[]} table
 * @returns {string}
 */
function matsWords(key, number, table) {
  const [first, second] = [2 * number - 2, 2 * number - 1];
  return say(key, {
    number,
    mat: matLetter(first),
    card: cardWords(table[first]),
    other: matLetter(second),
    shown: cardWords(table[second]),
  });
}

/** @param {Step} step @param {Viewpoint} view @param {string[]} names @returns {string[]} */
function dealtWords({ hands }, view, names) {
  const told = hands.flatMap((faces, seat) => {
    const cards = known(
      faces,
      faces.map((_, slot) => slot),
    );
    return view.shows[seat] && cards.length
      ? [say("HAND", { name: names[seat], cards: numbered(cards) })]
      : [];
  });
  return [say("DEALT"), ...told];
}

/** @param {Faces} faces @param {readonly number[]} slots @returns {[number, number][]} */
function known(faces, slots) {
  return slots.flatMap((slot) => {
    const face = faces[slot];
    return face === null || face === undefined ? [] : [pair(slot, face)];
  });
}

/** @param {number} slot @param {number} face @returns {[number, number]} */
function pair(slot, face) {
  return [slot, face];
}

/** @param {Step} step @param {Viewpoint} view @param {string} name @returns {string} */
function placedWords(step, view, name) {
  const mat = lastMat(step);
  const face = faceAt(step, step.seat, mat, view);
  if (face === null || face === undefined) return say("SEALED", { name, mat: matLetter(mat) });
  return say("SEALED_CARD", { name, card: cardWords(face), mat: matLetter(mat) });
}

/** @param {Step} step after a card was laid @returns {number} the mat */
export function lastMat({ snapshot, seat }) {
  const turns = snapshot[5].at(-1)?.[1] ?? [];
  const played = turns.filter((turn) => turn[0] === "play" && turn[1] === seat);
  return played.at(-1)?.[2] ?? 0;
}

/**
 * @param {Snapshot} snapshot
 * @returns {readonly [number, readonly Resolution[], readonly number[][]] | undefined}
 */
function lastResolved(snapshot) {
  const round = snapshot[5].findLast((each) => each[2].length);
  return round && [round[0], round[2], [round[3], round[4]]];
}

/** @param {Step} step @param {string[]} names @returns {string[]} */
function roundWords({ snapshot }, names) {
  const [number, resolutions, tokens] = lastResolved(snapshot) ?? [0, [], []];
  const table = snapshot[3];
  const lines = resolutions.flatMap((resolution) =>
    matWords(resolution, table[resolution[0]], names),
  );
  lines.push(
    ...tokens.map((own, seat) => say("HOLDS", { name: names[seat], tokens: tokensWords(own) })),
  );
  if ((snapshot[5].at(-1)?.[0] ?? 0) > number)
    lines.push(matsWords("NEXT_ROUND", number + 1, table));
  return lines;
}

/**
 * @param {Resolution} resolution
 * @param {number} shown
 * @param {string[]} names
 * @returns {string[]}
 */
function matWords([mat, [one], [two], ...gains], shown, names) {
  const letter = matLetter(mat);
  if (one === undefined || two === undefined) {
    const alone = gains.flatMap((gain, seat) =>
      gain.map((kind) =>
        say("UNOPENED", { mat: letter, name: names[seat], token: oneToken(kind) }),
      ),
    );
    return alone.length ? alone : [say("EMPTY", { mat: letter })];
  }
  const opened = say("OPENED", {
    mat: letter,
    card: cardWords(shown),
    first: names[0],
    one: cardWords(one),
    second: names[1],
    two: cardWords(two),
  });
  return [opened, ...gainsWords(gains, names)];
}

/** @param {number} kind @returns {string} */
function oneToken(kind) {
  return say(`ONE_${KINDS_KEYS[kind]}`);
}

/** @param {number[][]} gains by seat @param {string[]} names @returns {string[]} */
function gainsWords(gains, names) {
  const told = gains.flatMap((gain, seat) =>
    gain.map((kind) => say("GAIN", { name: names[seat], token: oneToken(kind) })),
  );
  return told.length ? told : [say("GAIN_NOBODY")];
}

/** @param {Step} step @param {Viewpoint} view @param {string[]} names @returns {string[]} */
function keptWords({ snapshot, hands }, view, names) {
  return snapshot[4].map((slots, seat) => {
    const cards = view.shows[seat] ? known(hands[seat], slots) : [];
    if (!cards.length) return say("KEEPS", { count: slots.length, name: names[seat] });
    return say("KEPT", { name: names[seat], cards: numbered(cards) });
  });
}

/**
 * @param {Snapshot} snapshot of a game that is over
 * @param {string[]} names
 * @returns {string}
 */
export function endWords(snapshot, names) {
  const [kind, winners, how] = snapshot[9];
  if (kind !== "end") throw new Error("the game is not over");
  const [winner] = winners;
  if (winner === undefined) return say("DRAW");
  return say("WINS", {
    name: names[winner],
    why: whyWon(String(how), winner, snapshot[6], names),
  });
}

/**
 * @param {string} how
 * @param {number} winner
 * @param {readonly number[][]} tokens
 * @param {string[]} names
 */
function whyWon(how, winner, tokens, names) {
  const [own, theirs] = [tokens[winner], tokens[other(winner)]];
  if (how === "alike") return mostAlike(own);
  if (how === "five-kinds") return say("FIVE_KINDS");
  if (how === "resigned") return say("CONCEDED", { name: names[other(winner)] });
  const kind = own.findIndex((count, place) => count !== theirs[place]);
  const both = !own.includes(0) && !theirs.includes(0);
  const tie = both ? "TIE_BREAK_KINDS" : "TIE_BREAK";
  const key =
    { "tie-break": tie, "further-rounds": "FURTHER", "last-set": "LAST_SET" }[how] ?? "";
  return say(key, {
    mine: metBy(own),
    theirs: metBy(theirs),
    tokens: say(`SOME_${KINDS_KEYS[kind]}`),
    more: own[kind],
    fewer: theirs[kind],
  });
}

/** @param {readonly number[]} tokens */
function mostAlike(tokens) {
  const count = Math.max(...tokens);
  return say(`COUNTED_${KINDS_KEYS[tokens.indexOf(count)]}`, { count });
}

/**
 * The condition that ``tokens`` meet, five kinds before tokens alike.
 * @param {readonly number[]} tokens
 */
function metBy(tokens) {
  return tokens.includes(0) ? mostAlike(tokens) : say("ALL_KINDS");
}

/**
 * Return the reasons for the outcome of the last resolved round.
 * @param {Step} step
 * @param {string[]} players
 */
export function explain({ snapshot }, players) {
  const names = players.map(isolated);
  const resolved = lastResolved(snapshot);
  if (!resolved) return [say("WHY_NOTHING")];
  const lines = resolved[1].flatMap((resolution) => {
    const [mat, , , ...gains] = resolution;
    const shown = snapshot[3][mat];
    return [
      asks(mat, shown),
      ...reasons(snapshot, resolution, shown, names),
      ...gainsWords(gains, names),
    ];
  });
  return [...lines, say("WHY_KIND")];
}

/** @param {number} mat @param {number} shown @returns {string} */
function asks(mat, shown) {
  const fields = { mat: matLetter(mat), card: cardWords(shown) };
  if (demandsNumber(mat)) return say("WHY_NUMBER", { ...fields, number: numberOf(shown) });
  return say("WHY_SUIT", { ...fields, suit: kindWords(suitOf(shown)) });
}

/**
 * @param {Snapshot} snapshot @param {Resolution} resolution @param {number} shown
 * @param {string[]} names
 * @returns {string[]}
 */
function reasons(snapshot, [mat, [one], [two]], shown, names) {
  if (one === undefined || two === undefined) return alone(snapshot, mat, names);
  const [first, second] = [matches(mat, shown, one), matches(mat, shown, two)];
  const inOrder = {
    name: names[0],
    other: names[1],
    card: cardWords(one),
    shown: cardWords(two),
  };
  const turned = {
    name: names[1],
    other: names[0],
    card: cardWords(two),
    shown: cardWords(one),
  };
  if (first && second) {
    const [better, worse] = beats(mat, one, two) ? [one, two] : [two, one];
    const compared = demandsNumber(mat)
      ? say("WHY_SUITS", { better: kindWords(suitOf(better)), worse: kindWords(suitOf(worse)) })
      : say("WHY_NUMBERS", { better: numberOf(better), worse: numberOf(worse) });
    return [say("WHY_BOTH", inOrder), compared];
  }
  if (first) return [say("WHY_ONE", inOrder)];
  if (second) return [say("WHY_ONE", turned)];
  return [say("WHY_NEITHER", inOrder)];
}

/**
 * @param {Snapshot} snapshot
 * @param {number} mat
 * @param {string[]} names
 * @returns {string[]}
 */
function alone(snapshot, mat, names) {
  const turns = snapshot[5].flatMap((round) => round[1]);
  const laid = names.filter((_, seat) =>
    turns.some((turn) => turn[0] === "play" && turn[1] === seat && turn[2] === mat),
  );
  return laid.length ? laid.map((name) => say("WHY_ALONE", { name })) : [say("WHY_EMPTY")];
}
