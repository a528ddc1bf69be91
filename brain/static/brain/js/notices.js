// [data-dismiss=".toast"]: a button that removes its message. Good news leaves by itself unless
// one is on it; bad news stays. A failed htmx request becomes a message instead of silence.

const STAYS_FOR = 8000;
const CALM = ["info", "success"];
const toasts = document.getElementById("toasts");

function dismiss(toast) {
  if (toast.matches(":hover, :focus-within")) {
    setTimeout(dismiss, STAYS_FOR, toast);
    return;
  }
  toast.remove();
}

function schedule(toast) {
  if (CALM.includes(toast.dataset.tone)) setTimeout(dismiss, STAYS_FOR, toast);
}

function complain(text) {
  const toast = document.getElementById("failure").content.firstElementChild.cloneNode(true);
  toast.querySelector("p").textContent = text;
  toasts.replaceChildren(toast);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-dismiss]");
  if (!button) return;
  button.closest(button.dataset.dismiss).remove();
  document.getElementById("main").focus();
});

for (const toast of toasts.children) schedule(toast);
new MutationObserver((changes) => {
  for (const { addedNodes } of changes) {
    for (const node of addedNodes) if (node.nodeType === Node.ELEMENT_NODE) schedule(node);
  }
}).observe(toasts, { childList: true });

document.addEventListener("htmx:responseError", () => complain(toasts.dataset.failed));
document.addEventListener("htmx:sendError", () => complain(toasts.dataset.offline));
document.addEventListener("htmx:timeout", () => complain(toasts.dataset.offline));
