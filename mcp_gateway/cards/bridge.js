// JSON-RPC with the host over postMessage (MCP Apps, revision 2026-01-26).

const host = window.parent;
const waiting = new Map();
const heard = new Map();
let last = 0;

function send(message) {
  // The host's origin is not known to what it shows; whoever framed this page sent its contents.
  host.postMessage({ jsonrpc: "2.0", ...message }, "*");
}

function notify(method, params = {}) {
  send({ method, params });
}

function ask(method, params) {
  last += 1;
  const id = last;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    send({ id, method, params });
  });
}

function on(method, listener) {
  heard.set(method, listener);
}

function answer(id, method) {
  if (method === "ping" || method === "ui/resource-teardown") send({ id, result: {} });
  else send({ id, error: { code: -32601, message: "Method not found" } });
}

window.addEventListener("message", ({ source, data }) => {
  if (source !== host || data?.jsonrpc !== "2.0") return;
  if (data.method === undefined) {
    const question = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.error) question?.reject(new Error(data.error.message));
    else question?.resolve(data.result);
  } else if (data.id === undefined) {
    heard.get(data.method)?.(data.params ?? {});
  } else {
    answer(data.id, data.method);
  }
});

async function call(name, args) {
  const result = await ask("tools/call", { name, arguments: args });
  if (result.isError) {
    throw new Error(result.content?.map((block) => block.text ?? "").join(" "));
  }
  return result.structuredContent;
}
