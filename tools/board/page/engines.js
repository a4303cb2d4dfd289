/* The dialog of the user's engines. */

import { make } from "/xiangqi.js";
import { troubleText } from "./format.js";
import { button, dialog, field, iconButton, notify, say, select } from "./parts.js";
import { t } from "./words.js";

const PROTOCOLS = [["auto", "protocol-auto"], ["ucci", "protocol-ucci"], ["uci", "protocol-uci"]];

/** Words of a command line as one text and back: quotes hold blanks together. */
const joined = (words) => words.map((word) => (/[\s"]|^$/.test(word) ? `"${word.replaceAll('"', '\\"')}"` : word)).join(" ");
const split = (text) => [...text.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, plain]) => quoted?.replace(/\\(.)/g, "$1") ?? plain);

/** Options as lines `name = value` and back. */
const optionText = (options) => Object.entries(options).map(([name, value]) => `${name} = ${value}`).join("\n");
const optionsOf = (text) => Object.fromEntries(text.split("\n").map((line) => line.split("=")).filter(([name, ...rest]) => name.trim() && rest.length).map(([name, ...rest]) => [name.trim(), rest.join("=").trim()]));

export class Engines {
  constructor(link) {
    this.link = link;
    this.fields = [];
    this.rows = make("div", { class: "engine-rows" });
    this.file = make("p", { class: "note" });
    this.dialog = dialog("engines", say("p", "engines-help", { class: "note" }), this.rows, make("div", { class: "row" }, button("add-an-engine", () => this.add({}), { id: "add-an-engine" }), button("save-engines", () => this.save(), { class: "primary", id: "save-engines" })), this.file);
    this.dialog.id = "engines-dialog";
  }

  async open() {
    try {
      this.show(await this.link.ask({ type: "engines" }));
      this.dialog.showModal();
    } catch (trouble) {
      notify(troubleText(trouble), true);
    }
  }

  show(answer) {
    this.file.textContent = t("engines-file", { file: answer.file });
    this.rows.replaceChildren();
    this.fields = [];
    for (const engine of answer.engines) if (!engine.builtin) this.add(engine, true);
    if (!this.fields.length) this.rows.append(say("p", "no-engines", { class: "note" }));
  }

  add({ name = "", command = "", args = [], dir = "", protocol = "auto", options = {} }, isSaved = false) {
    if (!this.fields.length) this.rows.replaceChildren();
    const input = (value, attributes = {}) => make("input", { type: "text", value, spellcheck: "false", autocomplete: "off", ...attributes });
    const one = { name: input(name, { maxlength: 60, "data-field": "name" }), command: input(command, { "data-field": "command" }), args: input(joined(args), { "data-field": "args" }), dir: input(dir, { "data-field": "dir" }), protocol: select(PROTOCOLS, protocol, () => {}), options: make("textarea", { rows: 2, spellcheck: "false", "data-t-hint": "options-hint", placeholder: t("options-hint") }, optionText(options)) };
    const says = make("p", { class: "note", role: "status" });
    const box = make("fieldset", { class: "engine-row" }, make("div", { class: "grid-2" }, field("engine-name", one.name), field("protocol", one.protocol), field("command", one.command), field("arguments", one.args), field("folder", one.dir), field("engine-options", one.options)),
      make("div", { class: "row" }, ...(isSaved ? [button("test-engine", () => this.test(name, says), { class: "test-engine" })] : []), iconButton("bin", "remove-engine", () => {
        this.fields = this.fields.filter((other) => other !== one);
        box.remove();
      })), says);
    this.fields.push(one);
    this.rows.append(box);
    if (!isSaved) one.name.focus();
  }

  async save() {
    const engines = this.fields.map((one) => ({ name: one.name.value.trim(), command: one.command.value.trim(), args: split(one.args.value), dir: one.dir.value.trim(), protocol: one.protocol.value, options: optionsOf(one.options.value) })).filter(({ name, command }) => name || command);
    try {
      this.show(await this.link.ask({ type: "engines_save", engines }));
      notify(t("engines-saved"));
    } catch (trouble) {
      notify(troubleText(trouble), true);
    }
  }

  async test(name, says) {
    says.textContent = t("testing");
    try {
      const answer = await this.link.ask({ type: "engine_test", engine: name });
      says.textContent = [answer.ok ? t("engine-answers", { name: answer.name, protocol: (answer.protocol ?? "").toUpperCase(), ms: answer.ms }) : t("engine-fails"), ...(answer.notes ?? [])].join(" ");
    } catch (trouble) {
      says.textContent = troubleText(trouble);
    }
  }
}
