// One memory on the card: shown as text, and confirmed or forgotten by the person.
// Every text from outside becomes a text node, so that nothing in it can act.

const { mayWrite, ...words } = JSON.parse(document.getElementById("words").textContent);
const deeds = [];
let canCall = false;

function element(name, text = "", attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function say(text) {
  document.getElementById("status").textContent = text;
}

function tellModel(deed) {
  deeds.push(deed);
  const content = [{ type: "text", text: deeds.join("\n") }];
  // Not every host takes it; what was done is done all the same.
  ask("ui/update-model-context", { content }).catch(() => {});
}

function button(text, row, listener, attributes = {}) {
  const made = element("button", text, { type: "button", ...attributes });
  made.setAttribute("aria-label", `${text}: ${row.path}`);
  made.addEventListener("click", listener);
  return made;
}

function dayOf(moment) {
  const language = document.documentElement.lang;
  return moment && new Date(moment).toLocaleDateString(language, { dateStyle: "medium" });
}

function about(row) {
  const author = words.authors[row.author] ?? row.author;
  const facts = [
    [words.by, row.client ? `${author}, ${row.client}` : author],
    [words.source, row.source],
    [words.because, row.rationale],
    [words.updated, dayOf(row.updated)],
    [words.lapses, dayOf(row.expires_at)],
  ];
  const said = facts.filter(([, value]) => value).map((fact) => fact.join(" "));
  return element("p", said.join(" · "), { class: "about" });
}

function fill(item, row) {
  const kind = words.kinds[row.kind] ?? row.kind;
  const parts = [
    element("h2", `${kind} · ${row.path}`),
    element("blockquote", row.content, { dir: "auto" }),
    about(row),
  ];
  if (row.is_preview) parts.push(element("p", words.preview, { class: "note" }));
  item.replaceChildren(...parts);
  if (mayWrite && canCall) item.append(actions(item, row));
}

function actions(item, row) {
  const made = element("div", "", { class: "actions" });
  const forget = button(words.forget, row, () => {
    made.replaceChildren(
      button(words.reallyForget, row, () => act(made, () => forgetIt(item, row)), {
        "data-danger": "",
      }),
      button(words.keep, row, () => {
        made.replaceWith(actions(item, row));
        item.querySelector("[data-forget]").focus();
      }),
    );
    made.lastElementChild.focus();
  }, { "data-forget": "" });
  // A checkpoint is only ever written by the tool of its own.
  if (row.kind !== "checkpoint") {
    made.append(button(words.confirm, row, () => act(made, () => confirmIt(item, row))));
  }
  made.append(forget);
  return made;
}

async function act(buttons, deed) {
  for (const each of buttons.children) each.disabled = true;
  try {
    say(await deed());
  } catch (error) {
    say(`${words.failed} ${error.message}`);
    for (const each of buttons.children) each.disabled = false;
  }
}

async function confirmIt(item, row) {
  // What is shown may be a preview, or no longer what holds.
  const [now] = (await call("search", { query: row.id })).results;
  if (now?.id !== row.id) {
    item.querySelector(".actions").remove();
    return words.gone;
  }
  if (now.version !== row.version) {
    fill(item, now);
    return words.changed;
  }
  const saved = await call("save", {
    content: now.content,
    kind: now.kind,
    path: now.path,
    source: words.personSaid,
    rationale: now.rationale || words.personSaid,
  });
  item.querySelector(".actions").remove();
  tellModel(`The person confirmed the memory ${saved.id}.`);
  return { refreshed: words.confirmed, created: words.saved, held: words.held }[saved.outcome];
}

async function forgetIt(item, row) {
  await call("forget", { id: row.id, reason: words.personForgot });
  item.setAttribute("data-gone", "");
  item.querySelector(".actions").remove();
  tellModel(`The person forgot the memory ${row.id}.`);
  return words.forgotten;
}
