// [data-key="r"]: what one presses by that single key: a link, a button, or the summary of details,
// which then opens and takes the focus into its first field. Never while typing, never with Ctrl,
// Alt or Cmd. Who switched keys off gets pages without data-key, and this does nothing.

const TYPING = "textarea, select, [contenteditable], input:not([type='checkbox'], [type='radio'])";

function press(element) {
  const details = element.matches("summary") ? element.parentElement : null;
  if (!details) {
    element.click();
    return;
  }
  details.open = !details.open;
  const target = details.open ? details.querySelector("textarea, input[type='text'], a") : null;
  (target ?? element).focus();
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest(TYPING)) return;
  const key = CSS.escape(event.key.toLowerCase());
  // The last one: of several messages with an undo, the newest.
  const element = [...document.querySelectorAll(`[data-key="${key}"]`)].at(-1);
  if (!element || element.disabled) return;
  event.preventDefault();
  press(element);
});
