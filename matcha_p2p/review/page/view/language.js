/** The language of the page, and its sentences. */

const ISOLATE = "\u2068"; // a name may be written from right to left; it must not turn the rest
const END = "\u2069";

const chosen = { language: "en" };

/** @returns {string} */
export function spoken() {
  return chosen.language;
}

/** @param {string} language a key of LANGUAGES */
export function speak(language) {
  chosen.language = language;
  document.documentElement.lang = language;
}

/** @param {readonly string[]} wanted as the browser says @returns {string} */
export function preferred(wanted) {
  const codes = wanted.map((each) => each.slice(0, 2).toLowerCase());
  return codes.find((code) => Object.hasOwn(SENTENCES, code)) ?? "en";
}

/** @param {string} key @param {Record<string, string | number>} [fields] @returns {string} */
export function say(key, fields = {}) {
  const sentence = SENTENCES[spoken()][key];
  if (sentence === undefined) throw new Error(`there is no sentence ${key}`);
  const text =
    typeof sentence === "string" ? sentence : (sentence[form(fields.count)] ?? sentence.other);
  return text.replace(/\{(\w+)\}/g, (_, name) => String(fields[name]));
}

/** @param {string | number} count @returns {string} the plural category */
function form(count) {
  return new Intl.PluralRules(spoken()).select(Number(count));
}

/** @param {string} key @returns {boolean} whether the page has a sentence of this key */
export function knows(key) {
  return Object.hasOwn(SENTENCES[spoken()], key);
}

/** @param {string} name of a player @returns {string} as it can stand in a sentence */
export function isolated(name) {
  return ISOLATE + name + END;
}
