"use strict";
// The list follows the filter while it is typed, and what becomes known meanwhile. Without this script, the form is sent.
const rows = document.getElementById("rows");
const wanted = document.getElementById("wanted");
let change = rows.dataset.change, asked = 0;

function query() {
  const page = new URLSearchParams(location.search);
  const found = new URLSearchParams(new FormData(wanted));
  if (page.has("page") && page.get("q") === found.get("q")) found.set("page", page.get("page"));
  return found;
}
async function load() {
  const number = ++asked;
  const text = await remit.piece(`/skills/rows?${query()}`);
  if (number !== asked) return; // a later one was asked for
  const at = [...rows.querySelectorAll("[data-entry]")].findIndex((one) => one.contains(document.activeElement));
  rows.innerHTML = text; // made and escaped by the same template as the page
  if (at >= 0) rows.querySelectorAll("[data-entry] a")[at]?.focus();
}
function filter() {
  const found = query();
  found.delete("page");
  history.replaceState(null, "", `?${found}`);
  load().then(() => remit.say(rows.querySelector(".chips [aria-current]").textContent));
}
let timer;
wanted.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(filter, 150); });
wanted.addEventListener("submit", (event) => { event.preventDefault(); clearTimeout(timer); filter(); });
remit.repeat(rows.dataset.busy === "1" ? 300 : 5000, async () => {
  const state = await remit.ask("/skills/state");
  if (String(state.change) !== change) {
    change = String(state.change);
    await load();
  }
  return state.busy ? 600 : 5000;
});
