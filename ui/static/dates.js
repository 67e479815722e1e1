/* The days between which the documents of a search were last changed. */
(() => {
  "use strict";
  const $ = (selector) => document.querySelector(selector);
  const written = (day) => {
    const two = (number) => String(number).padStart(2, "0");
    return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
  };

  /* "2026-01-01/2026-02-01"; a side that is open is empty. */
  bonsai.dates = () => {
    const chosen = $("#changed")?.value || "";
    if (chosen === "between") return `${$("#since").value}/${$("#until").value}`;
    if (!chosen) return "";
    const day = new Date();
    day.setDate(day.getDate() - Number(chosen));
    return `${written(day)}/`;
  };

  document.addEventListener("change", ({ target }) => {
    if (target.id === "changed") {
      const between = target.value === "between";
      target.classList.toggle("chosen", target.value !== "");
      $(".dates .between").hidden = !between;
      if (between) $("#since").focus();
    }
    // The calendar of either end offers no day beyond the other.
    if (target.id === "since") $("#until").min = target.value;
    if (target.id === "until") $("#since").max = target.value || "9999-12-31";
  });
})();
