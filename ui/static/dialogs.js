/* Dialogs: asking before something is deleted, a new name, a page of a document, a place in its text. */
window.bonsaiDialogs = (page) => {
  "use strict";
  const { $, text, element, zh } = page;
  const dialog = (className) => {
    const made = element("dialog", `bonsai ${className}`);
    made.addEventListener("close", () => made.remove());
    made.addEventListener("click", (event) => { if (event.target === made) made.close(); });
    document.body.append(made);
    return made;
  };
  const confirmed = (title, what, about, label, then) => {
    const made = dialog("confirm");
    const buttons = element("div", "buttons");
    const no = element("button", "", text("dialog.cancel"));
    const yes = element("button", "danger", label);
    no.addEventListener("click", () => made.close());
    yes.addEventListener("click", () => { made.close(); then(); });
    buttons.append(no, yes);
    made.append(element("h2", "", title));
    if (what) made.append(element("p", "what", what));
    made.append(element("p", "", about), buttons);
    made.showModal();
    no.focus();
  };
  const renamed = (old, then) => {
    const made = dialog("confirm rename");
    const form = element("form");
    form.method = "dialog";
    const name = element("input");
    name.value = old;
    name.maxLength = 80;
    name.setAttribute("aria-label", text("dialog.rename.title"));
    const buttons = element("div", "buttons");
    const no = element("button", "", text("dialog.cancel"));
    no.type = "button";
    const yes = element("button", "primary", text("dialog.rename.confirm"));
    no.addEventListener("click", () => made.close());
    form.addEventListener("submit", () => { if (name.value.trim()) then(name.value); });
    buttons.append(no, yes);
    form.append(element("h2", "", text("dialog.rename.title")), name, buttons);
    made.append(form);
    made.showModal();
    name.select();
  };
  const viewer = (source, name, page) => {
    const made = dialog("viewer");
    const head = element("header");
    const title = element("h2");
    const before = element("button", "", "‹");
    const after = element("button", "", "›");
    const close = element("button", "", text("viewer.close"));
    before.setAttribute("aria-label", text("viewer.previous"));
    after.setAttribute("aria-label", text("viewer.next"));
    const sheet = element("div", "sheet");
    let pages = Infinity;
    const turnTo = async (number) => {
      page = number;
      title.textContent = text("viewer.title", { name, page });
      before.disabled = page <= 1;
      after.disabled = page >= pages;
      sheet.replaceChildren(element("p", "", text("viewer.loading")));
      const wanted = page;
      try {
        const answer = await fetch(source.replace(/\/\d+\.png/, `/${page}.png`));
        if (wanted !== page) return;
        if (!answer.ok) {
          const reason = (await answer.json()).detail;
          sheet.replaceChildren(element("p", "", text("viewer.failed", { reason })));
          return;
        }
        pages = Number(answer.headers.get("X-Pages")) || pages;
        after.disabled = page >= pages;
        const image = element("img");
        image.alt = title.textContent;
        image.src = URL.createObjectURL(await answer.blob());
        image.addEventListener("load", () => URL.revokeObjectURL(image.src));
        sheet.replaceChildren(image);
        sheet.scrollTop = 0;
      } catch (error) {
        sheet.replaceChildren(element("p", "", text("viewer.failed", { reason: String(error) })));
      }
    };
    before.addEventListener("click", () => turnTo(page - 1));
    after.addEventListener("click", () => turnTo(page + 1));
    close.addEventListener("click", () => made.close());
    head.append(title, before, after, close);
    made.append(head, sheet);
    made.showModal();
    turnTo(page);
  };

  const reader = async (source, name) => {
    const made = dialog("viewer reader");
    const head = element("header");
    const close = element("button", "", text("viewer.close"));
    const sheet = element("div", "sheet");
    close.addEventListener("click", () => made.close());
    head.append(element("h2", "", name), close);
    sheet.append(element("p", "", text("viewer.reading")));
    made.append(head, sheet);
    made.showModal();
    try {
      const answer = await fetch(source, { headers: { "Accept-Language": zh ? "zh-CN" : "en" } });
      const told = await answer.json();
      if (!answer.ok) {
        sheet.replaceChildren(element("p", "", text("viewer.failed.place", { reason: told.detail })));
        return;
      }
      sheet.innerHTML = told.html; // made and escaped by our own server
      $("mark", sheet)?.scrollIntoView({ block: "center" });
    } catch (error) {
      sheet.replaceChildren(element("p", "", text("viewer.failed.place", { reason: String(error) })));
    }
  };

  return { confirmed, renamed, viewer, reader };
};
