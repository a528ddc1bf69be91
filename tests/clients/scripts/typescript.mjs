// A program on the TypeScript SDK: `node typescript.mjs URL 1|2 [auto|legacy]`.
//
// It takes commands from the terminal, one a line, and answers each with one line of JSON:
// `list`, `call TOOL {...}`, `quit`. With AGENTS_BRAIN_KEY it sends the key; without, it signs in
// through the SDK's OAuth, with a page of its own on a free port.

import { createServer } from "node:http";
import { createInterface } from "node:readline";

const [url, version, era = "legacy"] = process.argv.slice(2);
const key = process.env.AGENTS_BRAIN_KEY;
const { Client, StreamableHTTPClientTransport, UnauthorizedError } = await sdk();

let sentBack;
const callback = createServer((request, response) => {
  const query = new URL(request.url, "http://localhost").searchParams;
  response.end("Go back to the terminal.");
  if (query.has("code")) sentBack?.(query);
});
await new Promise((resolve) => callback.listen(0, "127.0.0.1", resolve));
const redirectUrl = `http://127.0.0.1:${callback.address().port}/callback`;

// What an app keeps between conversations; here for one only.
const kept = {};
const oauth = {
  redirectUrl,
  clientMetadata: {
    client_name: `TypeScript SDK ${version}`,
    redirect_uris: [redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => void (kept.client = client),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => void (kept.tokens = tokens),
  codeVerifier: () => kept.verifier,
  saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
  redirectToAuthorization: (address) => console.log(String(address)),
  invalidateCredentials: (scope) => {
    if (scope !== "verifier") delete kept.tokens;
    if (scope === "all" || scope === "client") delete kept.client;
  },
};

async function sdk() {
  if (version === "2") return import("@modelcontextprotocol/client");
  const from = (path) => import(`@modelcontextprotocol/sdk/client/${path}.js`);
  return { ...(await from("index")), ...(await from("streamableHttp")), ...(await from("auth")) };
}

function newTransport() {
  const options = key
    ? { requestInit: { headers: { Authorization: `Bearer ${key}` } } }
    : { authProvider: oauth };
  return new StreamableHTTPClientTransport(new URL(url), options);
}

function newClient() {
  const negotiation = version === "2" ? { versionNegotiation: { mode: era } } : {};
  return new Client({ name: "typescript", version: "1" }, negotiation);
}

async function connected() {
  const client = newClient();
  const transport = newTransport();
  const answer = new Promise((resolve) => (sentBack = resolve));
  try {
    await client.connect(transport);
    return client;
  } catch (error) {
    if (!(error instanceof UnauthorizedError) || key) throw error;
  }
  // The address was printed; a person goes there, and is sent back here.
  const query = await answer;
  await transport.finishAuth(version === "2" ? query : query.get("code"));
  const again = newClient();
  await again.connect(newTransport());
  return again;
}

async function done(command, words) {
  const client = await connected();
  try {
    if (command === "list") {
      const { tools } = await client.listTools();
      return {
        tools: tools.map((tool) => tool.name),
        instructions: client.getInstructions(),
        protocol: client.getNegotiatedProtocolVersion?.(),
      };
    }
    const [name, ...rest] = words;
    const call = { name, arguments: JSON.parse(rest.join(" ")) };
    const { isError, structuredContent, content } = await client.callTool(call);
    return { refused: isError ?? false, structured: structuredContent, text: content[0].text };
  } finally {
    await client.close();
  }
}

console.log("=> {}");
for await (const line of createInterface({ input: process.stdin })) {
  const [command, ...words] = line.split(" ");
  if (command === "quit") break;
  try {
    console.log(`=> ${JSON.stringify(await done(command, words))}`);
  } catch (error) {
    console.log(`=> ${JSON.stringify({ error: `${error.name}: ${error.message}` })}`);
  }
}
process.exit(0);
