// The inbox: after an answer the next question takes the focus; [data-tick-all] ticks every box of
// its form; on a phone the open queue is scrolled into sight. Without this script the browser does
// the first by itself, and the others are not needed.

function showQueue() {
  document.querySelector("#review-queues [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
}

showQueue();

document.addEventListener("htmx:afterSettle", (event) => {
  if (event.target.id !== "inbox") return;
  showQueue();
  const next = document.querySelector("#inbox [role='alert'], #inbox [data-focus]") ?? document.getElementById("main");
  next.setAttribute("tabindex", "-1");
  next.focus({ preventScroll: true });
  if (next.getBoundingClientRect().top < 0) next.scrollIntoView();
});

document.addEventListener("change", (event) => {
  if (!event.target.matches("[data-tick-all]")) return;
  for (const box of event.target.form.querySelectorAll("[name='item']")) box.checked = event.target.checked;
});
