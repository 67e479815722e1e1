/* Uploads: each file is one request of its own, so that each has its own progress and result.
   limitMib(): the largest file that the server takes, 0 while that is not known; done(): a file is through. */
window.bonsaiUploads = (page) => {
  "use strict";
  const { $, text, element, limitMib, done } = page;
  const sending = []; // files on their way to the server: {name, percent, error}
  const upload = (files) => {
    const target = $("#target")?.value || "default";
    for (const file of files) {
      const item = { name: file.name, percent: 0, error: "", target };
      sending.unshift(item);
      if (limitMib() && file.size > limitMib() * 1048576) {
        item.error = text("upload.too_big", { mib: limitMib() });
        continue;
      }
      item.file = file;
    }
    drawSending();
    sendNext();
  };
  let busy = false;
  const sendNext = () => {
    const item = [...sending].reverse().find((one) => one.file);
    if (busy || !item) return;
    busy = true;
    const request = new XMLHttpRequest();
    const query = new URLSearchParams({
      name: item.name, collection: item.target, modified: item.file.lastModified });
    request.open("PUT", `uploads?${query}`);
    request.upload.addEventListener("progress", (event) => {
      item.percent = event.total ? Math.round((100 * event.loaded) / event.total) : 0;
      drawSending();
    });
    request.addEventListener("loadend", () => {
      busy = false;
      item.file = null;
      if (request.status === 202) sending.splice(sending.indexOf(item), 1);
      else {
        let reason = request.statusText || text("engine.unreachable");
        try { reason = JSON.parse(request.responseText).detail; } catch { /* not from our server */ }
        item.error = text("upload.failed", { reason });
      }
      drawSending();
      done();
      sendNext();
    });
    request.send(item.file);
  };
  const drawSending = () => {
    const list = $("#sending");
    if (!list) return;
    list.hidden = !sending.length;
    const rows = sending.map((item) => {
      const row = element("li", item.error ? "job failed" : "job working");
      row.dataset.state = item.error ? "failed" : "sending";
      row.append(element("div", "name", item.name));
      row.append(element("span", "result",
        item.error ? text("job.failed") : text("upload.sending", { percent: item.percent })));
      if (item.error) row.append(element("span", "reason", item.error));
      else {
        const bar = element("progress");
        bar.max = 100;
        bar.value = item.percent;
        row.append(bar);
      }
      return row;
    });
    $("ul", list).replaceChildren(...rows);
  };

  return upload;
};
