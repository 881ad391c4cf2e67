"use strict";
// Questions as they come, and one key for each answer. Nothing that was pressed for one question answers another: the question that is
// marked must have been so for a moment, and a key that is held down counts once.
(() => {
  const READS = 400; // milliseconds that a question must have been marked before a key answers it
  const KEYS = {d: "deny", o: "once", s: "session", a: "always"};
  const queue = document.getElementById("queue");
  const state = document.getElementById("state");
  const said = document.getElementById("said");
  let marked = null;
  let since = 0;

  const questions = () => [...queue.querySelectorAll("[data-question]")];
  function tell(words, wrong) {
    said.textContent = words;
    said.classList.toggle("wrong", Boolean(wrong));
  }
  function mark(one) {
    if (marked === one) return;
    marked?.removeAttribute("aria-current");
    one?.setAttribute("aria-current", "true");
    marked = one;
    since = performance.now();
  }
  function settle() { // some question is marked as long as there is one
    if (!marked?.isConnected) mark(questions()[0] ?? null);
  }

  // Questions that stay as they were stay where they are, with whatever is focused or chosen in them.
  function update(html) {
    const fresh = new DOMParser().parseFromString(html, "text/html").body;
    const known = new Map([...queue.children].map((one) => [one.dataset.key, one]));
    const held = document.activeElement;
    const next = [...fresh.children].map((one) => known.get(one.dataset.key) ?? document.adoptNode(one));
    for (const one of [...queue.children]) if (!next.includes(one)) one.remove();
    next.forEach((one, place) => { if (queue.children[place] !== one) queue.insertBefore(one, queue.children[place] ?? null); });
    settle();
    if (held !== document.body && !held.isConnected && marked) marked.focus({preventScroll: true});
  }

  async function give(question, answer) {
    const form = question.querySelector("form");
    const given = {...Object.fromEntries(new FormData(form)), answer};
    delete given.token;
    for (const button of form.elements) button.disabled = true;
    try {
      const told = await remit.ask("/approvals", given);
      tell(told.said);
      const next = question.nextElementSibling ?? question.previousElementSibling;
      question.remove();
      settle();
      if (next?.matches("[data-question]")) next.focus();
    } catch (error) {
      tell(error.remedy ? `${error.message}; ${error.remedy}` : error.message, true);
      for (const button of form.elements) button.disabled = false;
    }
  }

  queue.addEventListener("submit", (event) => {
    event.preventDefault();
    give(event.target.closest("[data-question]"), event.submitter.value);
  });
  queue.addEventListener("focusin", (event) => mark(event.target.closest("[data-question]") ?? marked));
  document.addEventListener("keydown", (event) => {
    const answer = KEYS[event.key];
    if (event.defaultPrevented || !answer || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest("input, textarea, select, dialog[open]") || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    if (event.repeat || !marked?.isConnected) return;
    const button = marked.querySelector(`button[value="${answer}"]:not(:disabled)`);
    if (!button) return;
    if (performance.now() - since < READS) tell("the question has just come: look at it, then press again", true);
    else give(marked, answer);
  });

  function words(seconds) {
    for (const [size, unit] of [[86400, "d"], [3600, "h"], [60, "min"]]) if (seconds >= size) return `${Math.floor(seconds / size)} ${unit}`;
    return `${Math.max(seconds, 0)} s`;
  }
  setInterval(() => {
    const now = Math.floor(Date.now() / 1000);
    for (const one of queue.querySelectorAll("[data-since]")) one.textContent = words(now - one.dataset.since);
    for (const one of queue.querySelectorAll("[data-until]")) one.textContent = words(one.dataset.until - now);
  }, 1000);

  const title = document.title;
  const stream = new EventSource(`${remit.base}/approvals/stream`);
  stream.addEventListener("open", () => { state.textContent = "live"; state.className = "tag good"; });
  stream.addEventListener("error", () => { state.textContent = "not live"; state.className = "tag bad"; });
  stream.addEventListener("trouble", (event) => tell(JSON.parse(event.data).message, true));
  stream.addEventListener("questions", (event) => {
    const {html, count} = JSON.parse(event.data);
    update(html);
    document.title = count ? `(${count}) ${title}` : title;
    remit.say(count ? `${count} waiting` : "nobody asks");
  });
  settle();
})();
