/** Elements of the page. Text is set as text: nothing here reads markup. */

import { say } from "./language.js";

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string} Child */
/**
 * @typedef {Record<string, string | number | boolean | ((event: Event) => void)>} Attributes
 */

/**
 * @template {HTMLElement | SVGElement} T
 * @param {T} made @param {Attributes} attributes on..: what to do; false: none
 * @param {Child[]} children
 * @returns {T}
 */
function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (value !== false) made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children);
  return made;
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name @param {Attributes} [attributes] @param {...Child} children
 */
export function html(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** @param {string} name @param {Attributes} [attributes] @param {...Child} children */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

/**
 * @param {import("./page.js").Better | null} better
 * @returns {HTMLElement[]} a note if passing was better
 */
export function passMark(better) {
  const isPass = better && !Object.keys(better).length;
  return isPass ? [html("small", { class: "better" }, say("BETTER_PASS"))] : [];
}

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}
