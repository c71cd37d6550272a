// One emulator for each service in the seed, each on a free port.
// Usage: node emulate.mjs NODE_MODULES SEED_FILE SERVICE...
// Prints {"urls": {service: url}}; a line "reset SERVICE" puts its seed back; ends with its input.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [modules, seedFile, ...services] = process.argv.slice(2);
const { createEmulator } = await import(pathToFileURL(join(modules, "emulate/dist/api.js")));
const seed = JSON.parse(readFileSync(seedFile, "utf8"));

const running = {};
for (const service of services) {
  running[service] = await createEmulator({ service, port: 0, hostname: "127.0.0.1", seed });
}
const urls = Object.entries(running).map(([service, one]) => [service, one.url.replace("localhost", "127.0.0.1")]);
console.log(JSON.stringify({ urls: Object.fromEntries(urls) }));

for await (const line of createInterface({ input: process.stdin })) {
  const [command, service] = line.trim().split(" ");
  if (command === "reset") running[service].reset();
  console.log(JSON.stringify({ done: line.trim() }));
}
process.exit(0);
