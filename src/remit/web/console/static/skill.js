"use strict";
// A page of a skill that changed on disk says so; one that waits for the analysis is loaded when that is there.
const skill = document.getElementById("skill");
let pause = 500;

remit.repeat(pause, async () => {
  const {content} = await remit.ask(`/skill/${skill.dataset.ident}/state`);
  if (content === null || content === skill.dataset.content) return (pause = Math.min(pause * 2, 15000));
  const changed = document.getElementById("changed");
  if (!changed) return location.reload();
  changed.hidden = false;
  remit.say("The skill changed on disk.");
});
