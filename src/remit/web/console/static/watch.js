"use strict";
// Whoever waits sees how far it is; when it is over, the page is loaded anew.
for (const bar of document.querySelectorAll("[data-watch]")) {
  const look = async () => {
    try {
      const {running, reached} = await remit.ask(bar.dataset.watch);
      if (!running) return location.reload();
      bar.value = reached;
    } catch { /* the console is gone or busy: it is asked again */ }
    setTimeout(look, 400);
  };
  setTimeout(look, 400);
}
