"use strict";
// What is typed is judged by the console, which also adds entries: nothing is written until the form is sent and answered.
const editor = document.getElementById("editor");
const text = document.getElementById("text");
const verdict = document.getElementById("verdict");
let asked = 0, timer;

async function judge(add = "") {
  const number = ++asked;
  try {
    const told = await remit.ask(editor.dataset.check, {text: text.value, add});
    if (number !== asked) return; // more was typed meanwhile
    if (add) text.value = told.text;
    verdict.innerHTML = told.verdict; // made and escaped by the template of the page
  } catch (error) {
    const said = document.createElement("p");
    said.className = "wrong";
    said.textContent = `${error.message}${error.remedy ? `; ${error.remedy}` : ""}`;
    verdict.replaceChildren(said);
  }
}
text.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(judge, 250); });
verdict.addEventListener("click", (event) => {
  const entry = event.target.dataset.add;
  if (entry) judge(entry).then(() => (verdict.querySelector("[data-add]") ?? text).focus());
});
document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "s") {
    event.preventDefault();
    editor.requestSubmit();
  }
});
