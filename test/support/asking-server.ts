/** A launcher whose models are on a mock server, and whose MCP server `hand` asks a person when its tool `ask` is called. */

import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {listed} from '../tools/mcp/place.ts';
import type {Launcher} from './launch.ts';
import type {MockOpenAi} from './mock-openai.ts';

const script = join(import.meta.dirname, '../fixtures/mcp/by-hand.ts');

/** Returns the file with the behaviour of the server. */
export function useAskingServer({folder}: Launcher, {baseUrl}: MockOpenAi): string {
  const behaviour = join(folder, 'hand.json');
  const tools = [listed('ask', {annotations: {readOnlyHint: true}})];
  writeFileSync(behaviour, JSON.stringify({tools}));
  mkdirSync(join(folder, 'config/quorate'), {recursive: true});
  writeFileSync(
    join(folder, 'config/quorate/config.toml'),
    `[ask]
model = "mock/worker"
[agent]
exploration_model = "mock/worker"
decision_model = "mock/worker"
review_models = ["mock/worker"]
[providers.mock]
base_url = "${baseUrl}"
[mcp.hand]
command = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify([script, behaviour])}
trusted = true
`,
  );
  return behaviour;
}
