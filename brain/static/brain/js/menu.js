// details[data-menu]: closes on Escape (focus goes back to its summary), on a click elsewhere and
// when focus leaves it. Without this script it is a plain details element.
// [data-tabs]: a row of links that scrolls on a phone shows the one that is open.

const OPEN = "details[data-menu][open]";

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll(OPEN)) {
    const hadFocus = menu.contains(document.activeElement);
    menu.open = false;
    if (hadFocus) menu.querySelector("summary").focus();
  }
});

function closeOthers(target) {
  for (const menu of document.querySelectorAll(OPEN)) {
    if (!menu.contains(target)) menu.open = false;
  }
}

document.addEventListener("click", (event) => closeOthers(event.target));
document.addEventListener("focusin", (event) => closeOthers(event.target));

for (const open of document.querySelectorAll("[data-tabs] [aria-current]")) {
  const row = open.closest("[data-tabs]").getBoundingClientRect();
  const link = open.getBoundingClientRect();
  open.closest("[data-tabs]").scrollLeft += link.left - row.left - (row.width - link.width) / 2;
}
