/* The tab "Evaluation": its form and its runs come as HTML from the server; asked again while a run is under way. */
(() => {
  const POLL_MS = 1500;
  const box = () => document.querySelector("#evaluation-box");
  const visible = () => document.body.dataset.view === "evaluation" && !document.hidden;
  let version = "", filled = false, polling = false, started = false;

  const say = (message, good = false) => {
    const place = box()?.querySelector(".evaluation-said");
    if (!place) return;
    place.textContent = message;
    place.hidden = !message;
    place.classList.toggle("good", good);
    if (message) place.scrollIntoView({ block: "nearest" });
  };
  const asked = async (path, options = {}) => {
    const answer = await fetch(`evaluation/${path}`, options);
    if (answer.ok) return answer;
    const told = await answer.json().catch(() => ({ detail: answer.statusText }));
    throw new Error(told.detail || answer.statusText);
  };
  const fill = async (dataset = "") => {
    const answer = await asked(`panel?dataset=${encodeURIComponent(dataset)}`);
    box().querySelector(".evaluation-panel").innerHTML = await answer.text();
    filled = true;
  };
  const poll = async () => {
    if (polling || !box() || !visible()) return;
    polling = true;
    try {
      if (!filled) await fill();
      const state = await (await asked("state")).json();
      const now = JSON.stringify(state.version);
      if (now !== version) {
        const ticked = [...box().querySelectorAll("[name=run]:checked")].map((each) => each.value);
        box().querySelector(".evaluation-runs").innerHTML = state.html;
        for (const each of box().querySelectorAll("[name=run]")) if (ticked.includes(each.value)) each.checked = true;
        version = now;
      }
      const start = box().querySelector(".evaluation-form button.primary");
      if (start) start.disabled = state.running;
      if (state.running && started) {
        started = false;
        box().querySelector(".evaluation-state")?.scrollIntoView({ block: "center", behavior: "smooth" });
      }
    } catch (error) {
      say(error.message);
    } finally {
      polling = false;
    }
  };
  const values = (form, name) => [...form.querySelectorAll(`[name=${name}]:checked`)].map((each) => each.value);

  document.addEventListener("submit", async (event) => {
    const form = event.target.closest?.(".evaluation-form");
    if (!form) return;
    event.preventDefault();
    say("");
    try {
      await asked("run", {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Bonsai": "1" },
        body: JSON.stringify({
          dataset: form.elements.dataset.value,
          sample: form.elements.sample.value,
          strategies: values(form, "strategy"),
          collections: values(form, "collection"),
        }),
      });
      started = true;
    } catch (error) {
      say(error.message);
    }
    poll();
  });
  document.addEventListener("click", async (event) => {
    const hit = (selector) => event.target.closest?.(selector);
    if (hit(".choose-table")) box().querySelector(".table-input").click();
    if (hit(".stop-evaluation")) { await asked("stop", { method: "POST", headers: { "X-Bonsai": "1" } }); poll(); }
    if (hit(".compare-runs")) {
      const names = [...box().querySelectorAll("[name=run]:checked")].map((each) => each.value).reverse();
      say(names.length ? "" : hit(".compare-runs").dataset.none);
      if (!names.length) return;
      window.open(`evaluation/report?${names.map((name) => `run=${encodeURIComponent(name)}`).join("&")}`, "_blank", "noopener");
    }
    if (hit("#top nav button")) setTimeout(poll, 0);
  });
  document.addEventListener("change", async (event) => {
    const input = event.target.closest?.(".table-input");
    if (!input?.files.length) return;
    const file = input.files[0];
    try {
      const told = await (await asked(`tables?name=${encodeURIComponent(file.name)}`, {
        method: "PUT", body: file, headers: { "X-Bonsai": "1" },
      })).json();
      await fill(told.dataset);
      say(told.said, true);
    } catch (error) {
      say(error.message);
    }
  });
  setInterval(poll, POLL_MS);
  addEventListener("hashchange", poll);
})();
