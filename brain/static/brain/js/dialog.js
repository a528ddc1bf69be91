// form[data-confirm="text"]: its submit buttons wait until the typed text is the expected one.
// The server checks the same; without this script the button is simply always there.

function check(form) {
  const typed = form.querySelector("[data-confirm-typed], input[type='text'], input[type='email']");
  const matches = typed.value.trim() === form.dataset.confirm.trim();
  for (const button of form.querySelectorAll("[type='submit']")) button.disabled = !matches;
}

function checkAll(root) {
  for (const form of root.querySelectorAll("form[data-confirm]")) check(form);
}

document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-confirm]");
  if (form) check(form);
});

document.addEventListener("htmx:load", (event) => checkAll(event.target.parentElement ?? document));
// A browser that goes back restores what was typed, after this script ran.
window.addEventListener("pageshow", () => checkAll(document));
