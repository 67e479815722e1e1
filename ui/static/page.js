/* What the page does in the browser: views, citations, clicks, and asking the server how things are.
   Texts come from #bonsai-texts; names of documents are only ever set as textContent. */
window.bonsai = (() => {
  "use strict";
  const zh = (navigator.language || "en").toLowerCase().startsWith("zh");
  document.documentElement.lang = zh ? "zh-CN" : "en";
  const POLL_MS = 1000;
  const triggers = {};
  let catalog = {};
  let version = null;
  let limitMib = 0;

  const $ = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const text = (key, fields = {}) =>
    (catalog[key] || key).replace(/\{(\w+)\}/g, (_, name) => (name in fields ? fields[name] : ""));

  /* ---- the address holds the conversation, so that a reload finds it again ---- */
  const conversation = () => new URLSearchParams(location.search).get("c") || "";
  const setConversation = (id) => {
    const url = new URL(location.href);
    if ((url.searchParams.get("c") || "") === id) return;
    if (id) url.searchParams.set("c", id);
    else url.searchParams.delete("c");
    history.replaceState(null, "", url);
    markCurrent();
  };
  const markCurrent = () =>
    all(".recent li").forEach((item) => item.classList.toggle("current", item.dataset.id === conversation()));

  /* ---- how thorough: as this browser's reader chose it last ---- */
  const MODE = "bonsai-mode";
  const mode = () => {
    try { return localStorage.getItem(MODE) || ""; } catch { return ""; } // a browser may keep nothing at all
  };
  document.addEventListener("change", ({ target }) => {
    if (!target.closest?.("#mode") || !target.checked) return;
    try { localStorage.setItem(MODE, target.value); } catch { /* then it is the settings' own next time */ }
  });

  /* ---- views ---- */
  const show = (view, push = true) => {
    document.body.dataset.view = view;
    all("#top nav button").forEach((button) =>
      button.setAttribute("aria-selected", String(button.dataset.view === view)));
    if (push) {
      const url = new URL(location.href); // an address of "#documents" alone would be taken for the base's
      url.hash = view === "ask" ? "" : view;
      history.replaceState(null, "", url);
    }
    if (view === "ask") $("#question textarea")?.focus({ preventScroll: true });
  };

  /* ---- citations and evidence ---- */
  const narrow = () => matchMedia("(max-width: 900px)").matches;
  const aim = (n) => {
    const card = $(`#evidence .card[data-n="${n}"]`);
    if (!card) return false;
    card.classList.remove("aimed");
    void card.offsetWidth; // restarts the animation
    card.classList.add("aimed");
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    card.scrollIntoView({ behavior: still ? "auto" : "smooth", block: narrow() ? "start" : "nearest" });
    card.focus({ preventScroll: true });
    return true;
  };
  const cite = (button) => {
    const turn = button.closest(".turn").dataset.turn;
    const n = Number(button.dataset.n || 0);
    const panel = $("#evidence section.evidence");
    if (panel && panel.dataset.turn === turn) {
      if (n) aim(n);
      else panel.scrollIntoView({ block: "start" });
    } else triggers.transcript?.("cite", { turn, n });
  };

  /* ---- dialogs and uploads have files of their own ---- */
  const element = (tag, className, content) => {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (content !== undefined) made.textContent = content;
    return made;
  };
  const { confirmed, renamed, viewer, reader } = window.bonsaiDialogs({ $, text, element, zh });
  const upload = window.bonsaiUploads({ $, text, element, limitMib: () => limitMib, done: () => poll() });

  /* ---- how things are: the light, the banner, the jobs, and whether the library has changed ---- */
  const put = (selector, html) => {
    const place = $(selector);
    if (place && place.dataset.html !== html) {
      const open = !!$("details[open]", place);
      place.dataset.html = html;
      place.innerHTML = html; // made and escaped by our own server
      if (open) $("details", place)?.setAttribute("open", "");
    }
  };
  /* Whoever is signed in now, and what they may read: a window that was another's, or shows what it may not
     show any more, begins anew. */
  let known = null;
  const changed = ({ asker, readable }) => {
    const before = known;
    known = { asker, readable };
    return before && (asker !== before.asker || (asker && before.readable.some((name) => !readable.includes(name))));
  };
  let polling = false;
  const poll = async () => {
    if (polling) return;
    polling = true;
    try {
      const answer = await fetch("status", { headers: { "Accept-Language": zh ? "zh-CN" : "en" } });
      if (answer.status === 401 || answer.status === 403) { location.reload(); return; } // signed out
      const status = await answer.json();
      if (changed(status)) { location.reload(); return; }
      put("#who", status.who);
      limitMib = status.max_upload_mib;
      put("#status", status.engine);
      put("#banner .live", status.banner);
      put("#jobs", status.jobs);
      put("#system-box .live", status.system);
      put("#target", status.targets);
      if ($("#into")) $("#into").hidden = status.collections < 2;
      const now = JSON.stringify(status.version);
      if (version !== null && version !== now) triggers.files?.("refresh", {});
      if (triggers.files) version = now;
    } catch {
      put("#status", `<span class="light unreachable" role="status" data-state="unreachable"><i></i>` +
        `<span class="label">${text("engine.unreachable")}</span></span>`);
    } finally {
      polling = false;
    }
  };
  const post = (path) => fetch(path, { method: "POST", headers: { "X-Bonsai": "1" } }).then(poll);

  /* ---- the transcript scrolls along while the reader is at its end ---- */
  let atEnd = true;
  const scroller = () => (narrow() ? document.scrollingElement : $("#scroll"));
  const remember = () => {
    const box = scroller();
    if (box && !narrow()) atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 80;
  };
  const follow = () => {
    const box = scroller();
    if ($("#transcript .opening") && !$("#live .turn")) return;
    if (atEnd && box && !narrow()) box.scrollTop = box.scrollHeight;
  };

  /* ---- what a model thinks stays unfolded while it grows and when the answer is there ---- */
  const unfolded = new Set();
  let recentOpen = null; // as the reader left the list of conversations
  const turnOf = (thought) => thought.closest(".turn").dataset.turn;
  document.addEventListener("toggle", ({ target }) => {
    if (target.matches?.("details.recent")) recentOpen = target.open;
    if (!target.matches?.("details.thought") || !target.isConnected) return;
    if (target.open) unfolded.add(turnOf(target));
    else unfolded.delete(turnOf(target));
  }, true);
  const unfold = (root) => all("details.thought:not([open])", root).forEach((thought) => {
    if (unfolded.has(turnOf(thought))) thought.open = true;
  });

  /* ---- clicks ---- */
  const clicks = {
    "#top nav button": (button) => show(button.dataset.view),
    ".go-documents": () => show("documents"),
    ".cite": cite,
    ".foot .sources": cite,
    ".example": (button) => {
      const area = $("#question textarea");
      area.value = button.dataset.question;
      area.dispatchEvent(new Event("input", { bubbles: true }));
      setTimeout(() => $("#send")?.click(), 30);
    },
    ".copy": async (button) => {
      await navigator.clipboard.writeText(button.dataset.text);
      const label = button.textContent;
      button.textContent = button.dataset.done;
      setTimeout(() => { button.textContent = label; }, 1500);
    },
    ".more": (button) => {
      const card = button.closest(".card");
      const whole = $(".whole", card);
      const excerpt = $(".passage:not(.whole)", card);
      whole.hidden = !whole.hidden;
      excerpt.hidden = !whole.hidden;
      button.textContent = whole.hidden ? button.dataset.more : button.dataset.less;
    },
    ".whole-question": (button) => {
      const whole = button.closest(".question").classList.toggle("whole");
      button.textContent = whole ? button.dataset.less : button.dataset.more;
      button.setAttribute("aria-expanded", String(whole));
    },
    ".page-image": (button) => viewer(button.dataset.src, button.dataset.name, Number(button.dataset.page)),
    ".place-text[data-src]": (button) => reader(button.dataset.src, button.dataset.name),
    ".files .delete": (button) => confirmed(
      text("dialog.delete.title"), button.dataset.name,
      text(button.dataset.own === "1" ? "dialog.delete.own" : "dialog.delete.kept"),
      text("dialog.delete.confirm"), () => triggers.files("remove", { key: button.dataset.key })),
    ".show-more": (button) => triggers.files("more", { limit: Number(button.dataset.limit) }),
    ".recent .open": (button) => {
      show("ask");
      triggers.recent("pick", { id: button.closest("li").dataset.id });
    },
    ".recent .rename": (button) => renamed(button.dataset.title, (title) =>
      triggers.recent("rename", { id: button.closest("li").dataset.id, title })),
    ".recent .forget": (button) => confirmed(
      text("dialog.conversation.title"), button.dataset.title, text("dialog.conversation.text"),
      text("dialog.conversation.confirm"), () => triggers.recent("forget", { id: button.closest("li").dataset.id })),
    ".stop-jobs": () => post("jobs/stop"),
    ".clear-jobs": () => post("jobs/clear"),
    ".sign-out": () => fetch("sign-out", { method: "POST" }).then(() => location.assign("sign-in")),
    ".choose-files": () => $("#files-input").click(),
  };
  document.addEventListener("click", (event) => {
    for (const [selector, act] of Object.entries(clicks)) {
      const found = event.target.closest?.(selector);
      if (found) { act(found); return; }
    }
  });
  /* The arrow keys go from view to view, as in any row of tabs. */
  document.addEventListener("keydown", (event) => {
    const tab = event.target.closest?.("#top nav button");
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!tab || !step) return;
    const tabs = all("#top nav button");
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
    show(next.dataset.view);
    next.focus();
  });
  /* Enter that chooses a candidate of a Chinese input method must not send the question. */
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.isComposing || event.keyCode === 229)) event.stopImmediatePropagation();
  }, true);

  /* Not bound to the input itself: it may be used before its component tells that it has appeared. */
  document.addEventListener("change", ({ target }) => {
    if (target.id !== "files-input") return;
    upload([...target.files]);
    target.value = "";
  });
  const over = (on) => (event) => {
    if (![...(event.dataTransfer?.types || [])].includes("Files")) return;
    event.preventDefault();
    $(".drop")?.classList.toggle("over", on);
  };
  document.addEventListener("dragover", over(true));
  document.addEventListener("dragleave", over(false));
  document.addEventListener("drop", (event) => {
    over(false)(event);
    const files = [...(event.dataTransfer?.files || [])];
    if (files.length) { show("documents"); upload(files); }
  });

  /* ---- called by the components as they appear ---- */
  const bind = (name, root, trigger) => {
    triggers[name] = trigger;
    if (name === "transcript" || name === "live") {
      new MutationObserver(() => {
        const holder = $("#transcript [data-conversation]");
        if (holder) {
          if (holder.dataset.conversation !== conversation()) unfolded.clear();
          setConversation(holder.dataset.conversation);
        }
        unfold(root);
        follow();
      }).observe(root, { childList: true, subtree: true, characterData: true, attributes: true,
        attributeFilter: ["data-conversation"] });
    }
    if (name === "transcript") $("#scroll").addEventListener("scroll", remember, { passive: true });
    if (name === "evidence") {
      let seen = "";
      new MutationObserver(() => {
        const panel = $("section.evidence", root);
        const wanted = panel?.dataset.focus ? `${panel.dataset.turn}/${panel.dataset.focus}` : "";
        if (wanted && wanted !== seen) aim(panel.dataset.focus);
        if (panel && !panel.dataset.focus && panel.dataset.turn !== seen.split("/")[0]) $("#evidence").scrollTop = 0;
        seen = wanted || panel?.dataset.turn || "";
      }).observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ["data-focus", "data-turn"] });
    }
    if (name === "recent") new MutationObserver(() => {
      markCurrent();
      const details = $("details", root);
      if (details && !details.dataset.seen) { details.dataset.seen = "1"; details.open = recentOpen ?? !narrow(); }
      // gradio changes a list of the same length in place, and takes our attributes away without a new child.
    }).observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ["data-seen", "data-id"] });
    if (name === "top") begin();
  };

  const begin = () => {
    catalog = JSON.parse($("#bonsai-texts").textContent)[zh ? "zh" : "en"];
    $("#top nav").setAttribute("aria-label", text("nav.label"));
    show(["documents", "evaluation", "system"].find((view) => location.hash === `#${view}`) || "ask", false);
    poll();
    setInterval(() => { if (!document.hidden) poll(); }, POLL_MS);
    document.addEventListener("visibilitychange", () => { if (!document.hidden) poll(); });
  };

  return { bind, conversation, mode, setConversation, show };
})();
