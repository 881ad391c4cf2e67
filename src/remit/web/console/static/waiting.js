"use strict";
// Asks from time to time whether the answer is there, and loads the page again.
const job = new URLSearchParams({job: document.getElementById("waiting").dataset.job});

async function wait(pause) {
  const {ready, seconds} = await remit.ask(`/ready?${job}`);
  if (ready) return location.reload();
  document.querySelector("label[for=working]").textContent = `working, for ${seconds} s`;
  setTimeout(wait, pause, Math.min(pause * 1.5, 2000));
}
setTimeout(wait, 200, 300);
