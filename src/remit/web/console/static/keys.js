"use strict";
// What every page has: keys, the list of keys, and a way to ask the console from a script (`window.remit`).
(() => {
  const {base, token} = document.body.dataset;
  const dialog = document.getElementById("keys");
  const writing = (target) => target.closest("input, textarea, select, [contenteditable]");
  const plain = (event) => !event.ctrlKey && !event.altKey && !event.metaKey;
  let going = 0; // when `g` was pressed

  function entries() {
    return [...document.querySelectorAll("[data-entry]")].filter((one) => one.offsetParent !== null);
  }
  function move(by) {
    const all = entries();
    if (!all.length) return;
    const at = all.findIndex((one) => one === document.activeElement || one.contains(document.activeElement));
    const next = all[Math.min(Math.max(at + by, 0), all.length - 1)];
    (next.matches("a, button, [tabindex]") ? next : next.querySelector("a, button")).focus();
  }
  function go(key) {
    const link = [...document.querySelectorAll("nav [data-key]")].find((one) => one.dataset.key === key);
    if (link) link.click();
    return Boolean(link);
  }

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || !plain(event) || dialog.open) return;
    if (writing(event.target)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const asked = event.timeStamp - going < 1500;
    going = 0;
    if (asked && go(event.key)) event.preventDefault();
    else if (event.key === "g") going = event.timeStamp;
    else if (event.key === "?") dialog.showModal();
    else if (event.key === "j") move(1);
    else if (event.key === "k") move(-1);
    else if (event.key === "/") {
      const filter = document.querySelector("[data-filter]");
      if (filter) { event.preventDefault(); filter.focus(); filter.select(); }
    }
  });
  document.getElementById("show-keys")?.addEventListener("click", () => dialog.showModal());

  // whether the console answers, for the person who looks at the page
  function lost(words) {
    const shown = document.getElementById("lost");
    shown.textContent = words;
    shown.hidden = !words;
  }
  async function fetched(path, options) {
    let answer;
    try {
      answer = await fetch(base + path, options);
    } catch (error) {
      lost("The console does not answer: it was stopped, or cannot be reached. What this page shows is old.");
      throw error;
    }
    lost(answer.status === 401 ? "This browser is no longer admitted: open the address that the console printed last." : "");
    return answer;
  }
  // get and post below the base: the answer's JSON, or an Error with the message and the remedy of the console
  async function ask(path, given) {
    const options = {headers: {accept: "application/json"}};
    if (given !== undefined) Object.assign(options, {method: "POST", body: new URLSearchParams({...given, token})});
    const answer = await fetched(path, options);
    const told = await answer.json();
    if (!answer.ok) throw Object.assign(new Error(told.message), {remedy: told.remedy, status: answer.status});
    return told;
  }
  // a piece of a page, as HTML that the console made
  async function piece(path) {
    const answer = await fetched(path);
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return answer.text();
  }
  // does something again and again: it gives the pause before the next time, in milliseconds, or nothing to end
  async function repeat(pause, step) {
    for (let wait = pause; wait; ) {
      await new Promise((done) => setTimeout(done, wait));
      try {
        wait = await step();
      } catch {
        wait = 5000; // the person was told
      }
    }
  }
  function say(words) { document.getElementById("live").textContent = words; }
  window.remit = Object.freeze({base, token, ask, piece, repeat, say});
})();
