"use strict";
// Asks from time to time whether the answer is there, and loads the page again.
const job = new URLSearchParams({job: document.getElementById("waiting").dataset.job});

remit.repeat(200, async () => {
  const {ready, seconds} = await remit.ask(`/ready?${job}`);
  if (ready) return location.reload();
  document.querySelector("label[for=working]").textContent = `working, for ${seconds} s`;
  return Math.min(300 + seconds * 200, 2000);
});
