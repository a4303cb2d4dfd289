/* Small parts that all views are made of. Their texts follow the language. */

import { draw, make } from "/xiangqi.js";
import { t } from "./words.js";

const ICONS = {
  first: "M6 5v14M19 5L9 12l10 7z", back: "M16 5L7 12l9 7z", on: "M8 5l9 7-9 7z", last: "M18 5v14M5 5l10 7-10 7z",
  play: "M7 4l13 8-13 8z", pause: "M8 5v14M16 5v14", flip: "M7 4v15l-3-3M17 20V5l3 3", gear: "M4 7h10M18 7h2M4 17h2M10 17h10M16 4.5v5M8 14.5v5",
  refresh: "M19 12a7 7 0 1 1-2.2-5.1M19 3v5h-5",
  undo: "M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6", close: "M6 6l12 12M18 6L6 18", plus: "M12 5v14M5 12h14", bulb: "M9 18h6M10 21h4M8 14a6 6 0 1 1 8 0c-.8.8-1 1.4-1 2H9c0-.6-.2-1.2-1-2z",
  flag: "M6 21V4h12l-3 4 3 4H6", hands: "M5 9h14M5 15h14", share: "M12 15V4M8 8l4-4 4 4M5 13v7h14v-7", board: "M5 4h14v16H5zM5 9.3h14M5 14.7h14M9.7 4v16M14.3 4v16",
  help: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 18v.5", up: "M12 19V6M6 11l6-6 6 6", bin: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
};

export function icon(name) {
  return draw("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, draw("path", { d: ICONS[name] }));
}

/** An element whose text is that of a key. */
export const say = (tag, key, attributes = {}) => make(tag, { ...attributes, "data-t": key }, t(key));

/** A button with the text of a key. */
export function button(key, act, attributes = {}) {
  const element = make("button", { type: "button", ...attributes }, say("span", key));
  element.addEventListener("click", act);
  return element;
}

/** A button with a drawing, and the text of a key for who cannot see it. */
export function iconButton(name, key, act, attributes = {}) {
  const element = make("button", { type: "button", class: "icon-button", title: t(key), "aria-label": t(key), "data-t-title": key, ...attributes }, icon(name));
  element.addEventListener("click", act);
  return element;
}

/** A selection: `options` are pairs of a value and a key, or of a value and a text if `plain`. */
export function select(options, value, act, { plain = false, ...attributes } = {}) {
  const element = make("select", attributes);
  offer(element, options, value, plain);
  element.addEventListener("change", () => act(element.value));
  return element;
}

export function offer(element, options, value, plain = false) {
  element.replaceChildren(...options.map(([name, text]) => (plain ? make("option", { value: name }, text) : say("option", text, { value: name }))));
  element.value = String(value);
  if (element.selectedIndex < 0) element.selectedIndex = 0;
}

/** A field with its label in front. */
export const field = (key, control, attributes = {}) => make("label", { class: "field", ...attributes }, say("span", key), control);

export function numberField(value, { min, max, step = 1, ...attributes }, act) {
  const element = make("input", { type: "number", value, min, max, step, inputmode: "decimal", ...attributes });
  element.addEventListener("change", () => {
    // The largest value may have changed since: the server names it.
    const wanted = Number(element.value), [least, most] = [Number(element.min), Number(element.max)];
    element.value = String(Math.min(Math.max(Number.isFinite(wanted) ? wanted : least, least), most));
    act(Number(element.value));
  });
  return element;
}

export function checkbox(key, value, act, attributes = {}) {
  const box = make("input", { type: "checkbox", ...attributes });
  box.checked = value;
  box.addEventListener("change", () => act(box.checked));
  return make("label", { class: "check" }, box, say("span", key));
}

/** A row of choices of which one is pressed. */
export function segments(options, value, act, attributes = {}) {
  const row = make("div", { class: "segments", role: "group", ...attributes });
  const press = (chosen) => {
    for (const item of row.children) item.setAttribute("aria-pressed", String(item.dataset.value === String(chosen)));
  };
  for (const [name, key] of options) {
    row.append(button(key, () => {
      press(name);
      act(name);
    }, { "data-value": name }));
  }
  row.choose = press;
  press(value);
  return row;
}

export const card = (...children) => make("section", { class: "card" }, ...children);

/** A dialog with a title and a button that closes it. */
export function dialog(key, ...children) {
  const element = make("dialog", { class: "dialog" });
  element.append(make("header", {}, say("h2", key), iconButton("close", "close", () => element.close())), ...children);
  element.addEventListener("click", (event) => {
    if (event.target === element) element.close();
  });
  element.addEventListener("close", () => document.body.append(document.getElementById("notes")));
  document.body.append(element);
  return element;
}

/** A short message that goes away by itself; `urgent` for what went wrong. */
export function notify(text, urgent = false) {
  const host = document.getElementById("notes");
  // Whatever lies outside an open dialog is under its shade. The one on top covers the middle of the window.
  (document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest("dialog[open]") ?? document.body).append(host);
  const note = make("div", { class: urgent ? "note-box urgent" : "note-box", role: urgent ? "alert" : "status" }, text);
  const close = () => note.remove();
  note.append(iconButton("close", "close", close));
  host.append(note);
  while (host.children.length > 4) host.firstChild.remove();
  setTimeout(close, urgent ? 12000 : 5000);
}

/** Says a text to screen readers. */
export function announce(text) {
  const region = document.getElementById("spoken");
  region.textContent = "";
  // A region that is emptied and filled at once is not always read.
  setTimeout(() => {
    region.textContent = text;
  }, 30);
}

/** Calls `act`, but not between the press and the release of a pointer on `host`: a click needs the same element under both. */
export function steadily(host, act) {
  let isHeld = false, waits = false;
  host.addEventListener("pointerdown", () => {
    isHeld = true;
  });
  const release = () => {
    isHeld = false;
    // The click comes right after the release.
    if (waits) setTimeout(() => {
      waits = false;
      act();
    });
  };
  for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => isHeld && release());
  return () => {
    if (isHeld) waits = true;
    else act();
  };
}

/** Calls `act` at most once a frame, so that a flood of messages costs no more than the drawing of the last one. */
export function onceAFrame(act) {
  let waits = false;
  return () => {
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => {
      waits = false;
      act();
    });
  };
}
