/* Choices of the reader, kept where the browser allows it: the drawing of the pieces and the notation of moves. */

const CHOICES = {
  pieces: ["Pieces", [["character", "Characters"], ["letter", "Letters"]]],
  notation: ["Moves", [["chinese", "Chinese"], ["wxf", "WXF"], ["iccs", "Coordinates"]]],
};

function kept(name) {
  try {
    return localStorage.getItem("chuhe-" + name);
  } catch {
    return null;
  }
}

function keep(name, value) {
  try {
    localStorage.setItem("chuhe-" + name, value);
  } catch {
    // A browser may refuse to keep anything for a file.
  }
}

/** Selections of all choices, and `changed` after each change. Readers of Chinese start with moves in Chinese. */
class Choices {
  constructor(host, notation, changed) {
    const first = { pieces: "character", notation: navigator.language.startsWith("zh") ? "chinese" : notation };
    for (const [name, [label, options]] of Object.entries(CHOICES)) {
      const select = make("select", { id: "choice-" + name }, ...options.map(([value, text]) => make("option", { value }, text)));
      const before = kept(name);
      select.value = options.some(([value]) => value === before) ? before : first[name];
      this[name] = select.value;
      select.addEventListener("change", () => {
        this[name] = select.value;
        keep(name, select.value);
        changed();
      });
      host.append(make("label", {}, label + " ", select));
    }
  }

  /** Chooses what a key stands for. */
  choose(name, value) {
    const select = byId("choice-" + name);
    select.value = value;
    select.dispatchEvent(new Event("change"));
  }

  /** Draws a board by these choices. */
  applyTo(board) {
    board.pieceStyle = this.pieces;
    board.coordinates = this.notation;
  }

  /** A move such as `h2-e2`, or its name in WXF or Chinese. */
  moveText(move, names) {
    if (this.notation === "iccs" || !names) return make("span", {}, move.slice(0, 2) + "-" + move.slice(2, 4));
    return this.notation === "wxf" ? make("span", {}, names[0]) : make("span", { lang: "zh-Hans" }, names[1]);
  }
}
