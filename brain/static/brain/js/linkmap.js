// [data-map]: lights up a mark with its links, tells what it says, goes from mark to mark with the
// arrow keys, and zooms. Without it every mark is a link with a name, in the order of the paths.

const STEPS = [0.5, 0.75, 1, 1.5, 2, 3];
const SAID = 5;
const HEADER = 100;
const map = document.querySelector("[data-map]");
const sheet = map?.querySelector(".map-sheet");
const said = map?.querySelector("[data-map-said]");
let step = STEPS.indexOf(1);

const drawing = () => sheet.querySelector(".map-drawing");
const marks = () => [...sheet.querySelectorAll(".mark")];
const markAt = (place) => sheet.querySelector(`.mark[data-place="${place}"]`);
const nameOf = (mark) => mark.querySelector("title").textContent;

function arcsOf(mark) {
  const { place } = mark.dataset;
  return [...sheet.querySelectorAll(`.arc[data-ends^="${place} "], .arc[data-ends$=" ${place}"]`)];
}

function otherEnd(arc, mark) {
  const ends = arc.dataset.ends.split(" ");
  return markAt(ends[0] === mark.dataset.place ? ends[1] : ends[0]);
}

function line(tag, text) {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

function tell(mark, arcs) {
  const [head, text] = nameOf(mark).split("\n");
  const others = arcs.slice(0, SAID).map((arc) => {
    const [place, content] = nameOf(otherEnd(arc, mark)).split("\n");
    return line("span", `${arc.dataset.said}: ${content ?? place}`);
  });
  if (arcs.length > SAID) others.push(line("span", `+ ${arcs.length - SAID}`));
  const groups = [[line("span", head), ...(text ? [line("strong", text)] : [])], others];
  said.replaceChildren(
    ...groups.map((lines) => {
      const group = document.createElement("div");
      group.append(...lines);
      return group;
    }),
  );
}

function light(mark) {
  for (const lit of sheet.querySelectorAll(".is-lit")) lit.classList.remove("is-lit");
  if (!mark) {
    delete drawing().dataset.lit;
    said.textContent = said.dataset.hint;
    return;
  }
  const arcs = arcsOf(mark);
  drawing().dataset.lit = "";
  for (const each of [mark, ...arcs, ...arcs.map((arc) => otherEnd(arc, mark))]) each?.classList.add("is-lit");
  tell(mark, arcs);
}

function centre(mark) {
  const { left, top, width, height } = mark.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

// The nearest mark that lies in the direction; what lies aside counts as further away.
function next(mark, key) {
  const here = centre(mark);
  let best;
  let least = Infinity;
  for (const other of marks()) {
    const { x, y } = centre(other);
    const [ahead, aside] = {
      ArrowRight: [x - here.x, y - here.y],
      ArrowLeft: [here.x - x, y - here.y],
      ArrowDown: [y - here.y, x - here.x],
      ArrowUp: [here.y - y, x - here.x],
    }[key];
    const distance = ahead + 3 * Math.abs(aside);
    if (ahead > 1 && distance < least) [best, least] = [other, distance];
  }
  return best;
}

// One stop for the tab key: the mark that was reached last.
function reach(mark) {
  for (const other of sheet.querySelectorAll('.mark[tabindex="0"]')) other.setAttribute("tabindex", "-1");
  mark.setAttribute("tabindex", "0");
}

function prepare() {
  const all = marks();
  for (const mark of all) mark.setAttribute("tabindex", "-1");
  if (all.length) all[0].setAttribute("tabindex", "0");
  sheet.removeAttribute("tabindex");
  light(null);
}

function zoom(by) {
  step = by ? Math.min(Math.max(step + by, 0), STEPS.length - 1) : STEPS.indexOf(1);
  const svg = drawing();
  svg.setAttribute("width", Math.round(Number(svg.dataset.width) * STEPS[step]));
}

// Phones get a drawing that is made for their width.
async function fit() {
  const room = sheet.clientWidth - 26;
  if (Math.abs(room - Number(drawing().dataset.width)) < 80) return;
  const address = new URL(location.href);
  address.searchParams.set("width", String(room));
  const response = await fetch(address, { headers: { "HX-Request": "true" } });
  if (!response.ok) return;
  sheet.innerHTML = await response.text();
  prepare();
}

if (map) {
  sheet.addEventListener("pointerover", (event) => light(event.target.closest(".mark")));
  sheet.addEventListener("pointerleave", () => light(document.activeElement.closest?.(".mark")));
  sheet.addEventListener("focusin", (event) => {
    const mark = event.target.closest(".mark");
    if (mark) reach(mark);
    light(mark);
    // Whoever comes with the keyboard shall see what is said.
    if (mark?.matches(":focus-visible") && said.getBoundingClientRect().top < HEADER) said.scrollIntoView();
  });
  sheet.addEventListener("focusout", () => light(null));
  sheet.addEventListener("keydown", (event) => {
    const mark = event.target.closest(".mark");
    if (!mark || !event.key.startsWith("Arrow")) return;
    event.preventDefault();
    next(mark, event.key)?.focus();
  });
  map.addEventListener("click", (event) => {
    const button = event.target.closest("[data-zoom]");
    if (button) zoom(Number(button.dataset.zoom));
  });
  prepare();
  fit();
}
