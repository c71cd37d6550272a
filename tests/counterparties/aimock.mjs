// aimock on a free port, with every request body written to a file exactly as it arrived.
// Usage: node aimock.mjs NODE_MODULES WIRE_LOG. Prints one JSON line, ends with its input.
import { appendFileSync } from "node:fs";
import { Server } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, wireLog] = process.argv.slice(2);
const { LLMock } = await import(pathToFileURL(join(modules, "@copilotkit/aimock/dist/index.js")));

// aimock's journal holds what it made of a request (Anthropic, Responses and Gemini bodies become
// chat completions there), so the bytes themselves are taken here, before aimock reads them.
const emit = Server.prototype.emit;
Server.prototype.emit = function (event, request, ...rest) {
  if (event === "request" && !request.url.startsWith("/__aimock")) record(request);
  return emit.call(this, event, request, ...rest);
};

function record(request) {
  const chunks = [];
  const emitRequest = request.emit;
  request.emit = function (event, ...rest) {
    if (event === "data") chunks.push(Buffer.from(rest[0]));
    if (event === "end") {
      const { method, url, headers } = request;
      const body = Buffer.concat(chunks).toString("base64");
      appendFileSync(wireLog, JSON.stringify({ method, path: url, headers, body }) + "\n");
    }
    return emitRequest.call(this, event, ...rest);
  };
}

const mock = new LLMock({ port: 0, host: "127.0.0.1", strict: true });
await mock.start();
console.log(JSON.stringify({ url: mock.url }));
process.stdin.resume().on("end", () => process.exit(0));
