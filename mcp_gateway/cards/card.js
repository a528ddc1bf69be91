// The card: shows what a search found, and dresses like the host.

function noticeOf(found) {
  const known = Object.entries(words.notices).filter(([said]) => found.notice?.includes(said));
  if (known.length) return known.map(([, shown]) => shown).join(" ");
  const isEmpty = !found.results?.length && !found.paths?.length;
  return isEmpty ? words.nothing : "";
}

function show({ structuredContent: found, content = [], isError }) {
  const list = document.getElementById("results");
  list.replaceChildren();
  if (isError || !found) {
    const said = content.map((block) => block.text ?? "").join("\n");
    document.getElementById("notice").textContent = said;
    return;
  }
  document.getElementById("notice").textContent = noticeOf(found);
  for (const row of found.results ?? []) {
    const item = element("li");
    fill(item, row);
    list.append(item);
  }
  for (const { path, count } of found.paths ?? []) list.append(element("li", `${path} (${count})`));
  const more = found.more ? `${words.more} ${found.more}` : "";
  document.getElementById("more").textContent = more;
}

function wear({ theme, styles }) {
  const root = document.documentElement;
  if (theme === "light" || theme === "dark") root.style.colorScheme = theme;
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (name.startsWith("--") && value) root.style.setProperty(name, value);
  }
}

document.getElementById("title").textContent = words.title;
document.getElementById("notice").textContent = words.waiting;
on("ui/notifications/tool-result", show);
on("ui/notifications/tool-cancelled", () => {
  document.getElementById("notice").textContent = words.cancelled;
});
on("ui/notifications/host-context-changed", wear);
const agreed = await ask("ui/initialize", {
  protocolVersion: "2026-01-26",
  appInfo: { name: "agents-brain-search", version: "1" },
  appCapabilities: { availableDisplayModes: ["inline"] },
});
canCall = Boolean(agreed.hostCapabilities?.serverTools);
wear(agreed.hostContext ?? {});
notify("ui/notifications/initialized");
new ResizeObserver(() => {
  const { scrollWidth: width } = document.documentElement;
  notify("ui/notifications/size-changed", { width, height: document.body.offsetHeight });
}).observe(document.body);
