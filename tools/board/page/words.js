/* Words of the page in the chosen language. All texts are in en.js and zh.js. */

import { ENGLISH } from "./en.js";
import { CHINESE } from "./zh.js";

const TEXTS = { en: ENGLISH, zh: CHINESE };
let language = "en";

/** Languages with their own names. */
export const LANGUAGES = [["en", "English"], ["zh", "中文"]];

/** The language that the browser asks for. */
export function languageOfBrowser() {
  return (navigator.languages ?? [navigator.language]).find((tag) => /^(en|zh)/i.test(tag))?.toLowerCase().startsWith("zh") ? "zh" : "en";
}

export const currentLanguage = () => language;

/** The text of a key, with `{name}` replaced by values. */
export function t(key, values = {}) {
  const text = TEXTS[language][key] ?? ENGLISH[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** The texts of a key in all languages. */
export const inAllLanguages = (key) => Object.values(TEXTS).map((texts) => texts[key]);

/** The text of a key, or `otherwise` where no text has this key. */
export const textOr = (key, otherwise) => (key in ENGLISH ? t(key) : otherwise);

/** The texts in which the languages differ by their keys; a test expects none. */
export function untranslated() {
  const [first, second] = [Object.keys(ENGLISH), Object.keys(CHINESE)];
  return [...first.filter((key) => !(key in CHINESE)), ...second.filter((key) => !(key in ENGLISH))];
}

export function setLanguage(name) {
  language = name in TEXTS ? name : "en";
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  translate(document);
}

/** Sets the texts of all elements that name one: `data-t` their text, `data-t-title` title and label, `data-t-hint` placeholder. */
export function translate(root) {
  for (const element of root.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of root.querySelectorAll("[data-t-title]")) {
    element.title = t(element.dataset.tTitle);
    element.setAttribute("aria-label", element.title);
  }
  for (const element of root.querySelectorAll("[data-t-hint]")) element.placeholder = t(element.dataset.tHint);
}
