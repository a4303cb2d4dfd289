/* A loop explained: its moves, what each side did in it, and what the rules make of that. */

import { make } from "/xiangqi.js";
import { moveText, sideName } from "./format.js";
import { t, textOr } from "./words.js";

export function explain(loop, rules) {
  const moves = loop.moves.map(moveText).join(" ");
  const conduct = (side) => make("li", {}, make("b", {}, sideName(side)), " ", textOr("conduct-" + loop.conduct[side], loop.conduct[side]));
  const box = make("div", { class: "loop" }, make("p", {}, t("loop-repeats"), " ", make("span", { class: "loop-moves" }, moves)), make("ul", {}, conduct("red"), conduct("black")));
  if (loop.victims?.length) box.append(make("p", {}, t("loop-victims", { squares: loop.victims.join(" ") })));
  box.append(make("p", { class: "note" }, t("loop-ending", { ending: textOr("loop-" + loop.ending.replaceAll(" ", "-"), loop.ending), rules: t("rules-" + rules) })));
  return box;
}
