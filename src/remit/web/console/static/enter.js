"use strict";
// The code stands after `#`, which browsers send to nobody and keep out of logs; it is taken out of the address at once.
const state = document.getElementById("state");
const form = document.getElementById("enter");

async function enter(code) {
  state.textContent = "Opening …";
  const answer = await fetch("/enter", {
    method: "POST", body: new URLSearchParams({code}), headers: {accept: "application/json"},
  });
  const told = await answer.json();
  if (answer.ok) location.replace(told.to);
  else state.textContent = `${told.message}; ${told.remedy}`;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  enter(document.getElementById("code").value.trim());
});
const given = location.hash.slice(1);
if (given) {
  history.replaceState(null, "", "/");
  enter(given);
}
