// data-copy="id": a button that copies the text of that element and says so.

const RESET_AFTER = 2000;

async function write(text) {
  if (navigator.clipboard && window.isSecureContext) {
    await navigator.clipboard.writeText(text);
    return;
  }
  // Plain http on a home network has no clipboard interface; the old command still works there.
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "visually-hidden";
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (!copied) throw new Error("not copied");
}

function say(text) {
  const status = document.getElementById("status");
  // The same words twice are announced only when the region was empty in between.
  status.textContent = "";
  requestAnimationFrame(() => {
    status.textContent = text;
  });
}

function select(element) {
  const range = document.createRange();
  range.selectNodeContents(element);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
}

async function copy(button) {
  const source = document.getElementById(button.dataset.copy);
  const label = button.querySelector("[data-copy-label]");
  button.dataset.label ??= label.textContent;
  try {
    await write(source.textContent);
    button.focus();
    button.dataset.state = "copied";
    label.textContent = button.dataset.copied;
    say(button.dataset.copied);
  } catch {
    select(source);
    say(button.dataset.notCopied);
    label.textContent = button.dataset.notCopied;
  }
  setTimeout(() => {
    delete button.dataset.state;
    label.textContent = button.dataset.label;
  }, RESET_AFTER);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copy(button);
});
