// [data-live="memories"]: a part of the page that is fetched again when that changed in the space
// of body's data-live-space. It stays as it is, and offers the news, while somebody is further down
// in it; data-live-offer makes it always offer, data-live-whole loads the page anew. The websocket only says what changed.

const GONE = 4404;
const CALM = 300;
const LONGEST_WAIT = 60_000;
const space = document.querySelector("[data-live-space]")?.dataset.liveSpace;
const parts = (topic) => document.querySelectorAll(`[data-live~="${topic}"]`);
let wait = 1000;
let wasLost = false;
const waiting = new Map();

function offer(part) {
  const template = document.getElementById("news");
  if (!template || document.getElementById("news-shown")) return;
  const news = template.content.firstElementChild.cloneNode(true);
  news.id = "news-shown";
  news.querySelector("a").href = location.href;
  part.before(news);
  document.getElementById("status").textContent = news.querySelector("p").textContent;
}

function isBeingRead(part) {
  const above = part.getBoundingClientRect().top < -40;
  const hasMore = part.querySelectorAll("li.row").length > 25;
  const isUsed = part.contains(document.activeElement) || part.querySelector("details[open], :popover-open");
  return "liveOffer" in part.dataset || above || hasMore || isUsed;
}

async function refresh(part) {
  if ("liveWhole" in part.dataset) {
    location.reload();
    return;
  }
  if (isBeingRead(part)) {
    offer(part);
    return;
  }
  const headers = { "HX-Request": "true", "HX-Target": part.id };
  const response = await fetch(location.href, { headers, redirect: "error" });
  if (!response.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html").getElementById(part.id);
  if (!fresh) return;
  const known = new Set([...part.querySelectorAll("[id]")].map((each) => each.id));
  for (const row of fresh.querySelectorAll("li.row")) {
    if (!known.has(row.id)) row.dataset.isNew = "";
  }
  // Somebody may have begun to use it while the answer was on its way.
  if (isBeingRead(part)) {
    offer(part);
    return;
  }
  part.replaceWith(fresh);
  globalThis.htmx?.process(fresh);
  document.getElementById("status").textContent = fresh.dataset.liveSaid ?? "";
}

function changed(topic) {
  if (waiting.has(topic)) return;
  const later = setTimeout(() => {
    waiting.delete(topic);
    for (const part of parts(topic)) refresh(part).catch(() => {});
  }, CALM + Math.random() * CALM);
  waiting.set(topic, later);
}

function listen() {
  const address = new URL(`/live/${space}`, location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(address);
  socket.addEventListener("message", (event) => {
    const said = JSON.parse(event.data);
    if (said.listening) {
      wait = 1000;
      // What happened while nobody listened was said to nobody.
      if (wasLost) for (const topic of ["memories", "review"]) changed(topic);
    } else if (said.changed) {
      changed(said.changed);
    }
  });
  socket.addEventListener("close", ({ code }) => {
    if (code === GONE) return;
    wasLost = true;
    setTimeout(listen, wait + Math.random() * wait);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  });
}

if (space && document.querySelector("[data-live]")) listen();
