/** HELLO: who plays, by which rules, with which keys (SPEC section 11). */

import { bytesOf, join, same } from "./bytes.js";
import { need } from "./check.js";
import { checkSignature, decodeKey } from "./ed25519.js";
import { pack } from "./encoding.js";
import { H } from "./hashes.js";
import { checkName } from "./names.js";
import { verifyPossession } from "./proofs.js";
import { EDITIONS } from "./rules.js";

/** @typedef {import("./messages.js").Hello} Hello */
/** @typedef {import("./proofs.js").Place} Place */
/** @typedef {import("./table.js").Table} Table */

const VERSION = 1;

/** @param {string} edition @param {boolean} drawn the first dealer @returns {Uint8Array} */
export function rulesDigest(edition, drawn) {
  const { name, alike, whisks, turns, keeps, sets, further } = EDITIONS[edition];
  const values = [name, alike, whisks, turns, Number(keeps), sets, Number(further)];
  return H("rules", pack(drawn ? values : [...values, 0]));
}

/** @param {Hello} hello @returns {boolean} whether its rules are that seat 0 deals first */
export function firstDealerIsSeat0({ edition, rules }) {
  return same(rules, rulesDigest(edition, false));
}

/** @param {Table} table @param {Hello} hello @param {Place} place */
export function greet(table, hello, place) {
  const [host] = table.hellos;
  need(agreedVersion(hello, host) === VERSION, "E_VERSION");
  checkRules(hello, host);
  checkName(hello.player);
  decodeKey(hello.key);
  if (host) {
    const { key, anchor, X } = host;
    need(!same(hello.key, key) && !same(hello.anchor, anchor) && !hello.X.equals(X), "E_KEY");
    table.jointKey = X.plus(hello.X);
    need(!table.jointKey.isIdentity, "E_KEY");
  }
  verifyPossession(hello.X, hello.pop, place);
  if (hello.identity.length) checkCertificate(hello, place);
  table.hellos.push(hello);
  table.links.push(hello.anchor);
  table.phase = host ? { name: "tossing", owing: [1, 0] } : { name: "greeted" };
}

/**
 * Return the version that is agreed upon, as far as it is.
 * @param {Hello} hello @param {Hello | undefined} host seat 0's, if this one is seat 1's
 * @returns {number | undefined}
 */
function agreedVersion({ versions, version }, host) {
  if (!host)
    return version === versions.at(-1) && versions.includes(VERSION) ? VERSION : undefined;
  const common = versions.filter((each) => host.versions.includes(each));
  return version === common.at(-1) ? version : undefined;
}

/** @param {Hello} hello @param {Hello | undefined} host */
function checkRules({ edition, rules }, host) {
  need(Object.hasOwn(EDITIONS, edition), "E_RULES");
  need(
    [true, false].some((drawn) => same(rules, rulesDigest(edition, drawn))),
    "E_RULES",
  );
  need(!host || (edition === host.edition && same(rules, host.rules)), "E_RULES");
}

/** @param {Hello} hello @param {Place} place */
function checkCertificate({ key, anchor, X, identity, certificate }, { head }) {
  const message = join(bytesOf("matcha/v1/id\0"), key, X.encoded, anchor, head);
  checkSignature(identity, message, certificate, "E_CERT");
}
