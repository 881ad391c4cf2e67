"use strict";
// Whoever waits sees how far it is; when it is over, the page is loaded anew.
for (const one of document.querySelectorAll("[data-watch]")) {
  const look = async () => {
    try {
      const {running, ready, reached} = await remit.ask(one.dataset.watch);
      if (ready || running === false) return location.reload();
      if (reached !== undefined) one.value = reached;
    } catch { /* the console is gone or busy: it is asked again */ }
    setTimeout(look, 400);
  };
  setTimeout(look, 400);
}
