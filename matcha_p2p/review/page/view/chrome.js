/** The frame of every page of ours: languages and colours. */

import { byId, html } from "./elements.js";
import { preferred, say, speak, spoken } from "./language.js";

/**
 * Show the page, offer languages and colours, and call `draw` whenever the language changes.
 * @param {() => void} draw
 */
export function furnish(draw) {
  byId("unchecked").remove();
  byId("page").hidden = false;
  speak(preferred(navigator.languages));
  const options = Object.entries(LANGUAGES).map(([code, name]) =>
    html("option", { value: code, lang: code, selected: code === spoken() }, name),
  );
  byId("language").replaceChildren(...options);
  onChoice("language", (code) => {
    speak(code);
    draw();
  });
  onChoice("theme", (theme) => {
    document.documentElement.dataset.theme = theme;
  });
}

/** Set the fixed texts of the page in the chosen language. */
export function translate() {
  for (const each of document.querySelectorAll("[data-say]")) {
    each.textContent = say(/** @type {HTMLElement} */ (each).dataset.say ?? "");
  }
  for (const each of document.querySelectorAll("[data-label]")) {
    each.setAttribute("aria-label", say(/** @type {HTMLElement} */ (each).dataset.label ?? ""));
  }
}

/** @param {string} id of a list @param {(value: string) => void} choose */
export function onChoice(id, choose) {
  byId(id).addEventListener("change", (event) => {
    choose(/** @type {HTMLSelectElement} */ (event.target).value);
  });
}
