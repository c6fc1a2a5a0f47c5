/** HELLO: the players, the rules and the keys (SPEC, HELLO). */

import { bytesOf, join, same } from "./bytes.js";
import { CheckError, need } from "./check.js";
import { checkSignature } from "./ed25519.js";
import { pack } from "./encoding.js";
import { H } from "./hashes.js";
import { checkName } from "./names.js";
import { verifyPossession } from "./proofs.js";
import { take } from "./verbs.js";

/** @typedef {import("./encoding.js").Value} Value */
/** @typedef {import("./messages.js").Action} Action */
/** @typedef {import("./messages.js").Hello} Hello */
/** @typedef {import("./steps.js").Game} Game */
/** @typedef {import("./table.js").Table} Table */
/** @typedef {{ hello: Hello, more: Action[] }} Greeting */
/**
 * @typedef {(name: string, variant: string, seats: number) => Game | undefined} Find finds a
 * game before its first step; undefined where it is not known
 */

const VERSION = 1;

/**
 * Check that a seat has its place in the roster, with its session key.
 * @param {Table} table @param {Hello} hello
 */
export function checkListed({ roster, hellos }, hello) {
  need(same(hello.key, roster.seats[hellos.length].key), "E_ROSTER");
}

/** @param {Game} game @returns {Uint8Array} */
export function rulesDigest(game) {
  const { name, variant, seats } = game;
  return H("rules", pack([name, variant, seats, /** @type {Value} */ (game.rules())]));
}

/**
 * Take a message while not all have greeted: HELLO alone, or HELLO, COIN of the last seat.
 * @param {Table} table @param {Greeting} greeting
 * @param {Uint8Array[]} entries of the greetings, this one included
 * @param {Uint8Array} head @param {Find} find
 */
export function takeGreeting(table, { hello, more }, entries, head, find) {
  const { roster } = table;
  if (!table.hellos.length) need(same(head, roster.rid), "E_ROSTER");
  const isLast = table.hellos.length === roster.seats.length - 1;
  need(more.map(({ verb }) => verb).join(" ") === (isLast ? "COIN" : ""), "E_GRAMMAR");
  const sum = table.hellos.reduce((all, { X }) => all.plus(X), hello.X);
  const Y = isLast ? sum : undefined;
  const game = greet(table, hello, Y, head, find);
  checkFit(roster, table.hellos.length, hello);
  const seat = table.hellos.push(hello) - 1;
  if (!Y) {
    table.owing = [[seat + 1, "HELLO"]];
    return;
  }
  table.begin(game, H("game", ...entries), Y);
  take(table, more[0], { game: game.name, variant: game.variant, head, seat, place: 1 });
}

/**
 * @param {Table} table @param {Hello} hello
 * @param {import("./ristretto.js").Element | undefined} Y if this is the last seat
 * @param {Uint8Array} head @param {Find} find
 * @returns {Game} that is to be played
 */
function greet({ hellos }, hello, Y, head, find) {
  const { anchor, X, version } = hello;
  const common = hello.versions.filter((each) =>
    hellos.every(({ versions }) => versions.includes(each)),
  );
  need(version === common.at(-1), "E_VERSION");
  need(Y ? version === VERSION : common.includes(VERSION), "E_VERSION");
  const game = agreedGame(hellos[0] ?? hello, hello, find);
  checkName(hello.name);
  for (const other of hellos) {
    need(!same(anchor, other.anchor) && !X.equals(other.X), "E_KEY");
  }
  need(!Y?.isIdentity, "E_KEY");
  const { name, variant } = game;
  const place = { game: name, variant, head, seat: hellos.length, place: 0 };
  verifyPossession(X, hello.pop, place);
  if (hello.identity.length) checkCertificate(hello, head);
  return game;
}

/**
 * Refuse a HELLO, signed by the key in the roster, that does not fit the roster.
 * @param {import("./roster.js").Roster} roster @param {number} seat @param {Hello} hello
 */
function checkFit({ game, variant, rules, seats }, seat, hello) {
  const { name, identity } = seats[seat];
  need(hello.game === game && hello.variant === variant, "E_ROSTER");
  need(hello.seats === seats.length && same(hello.rules, rules), "E_ROSTER");
  need(hello.name === name && same(hello.identity, identity), "E_ROSTER");
}

/** @param {Hello} first @param {Hello} hello @param {Find} find @returns {Game} */
function agreedGame(first, hello, find) {
  const { game: name, variant, seats, rules } = hello;
  need(name === first.game && variant === first.variant && seats === first.seats, "E_GAME");
  const game = find(name, variant, seats);
  if (!game || !same(rules, rulesDigest(game))) throw new CheckError("E_GAME");
  return game;
}

/** @param {Hello} hello @param {Uint8Array} head */
function checkCertificate({ key, anchor, X, identity, certificate }, head) {
  const message = join(bytesOf("matcha/v1/id\0"), key, X.encoded, anchor, head);
  checkSignature(identity, message, certificate, "E_CERT");
}
