/** A launcher's configuration in which all roles are models of a mock server. */

import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import type {Launcher} from './launch.ts';
import type {MockOpenAi} from './mock-openai.ts';

/** One worker, and a panel of `mock/a`, `mock/b` and `mock/c`. `agent`: more lines of that section. */
export function useMockPanel(
  {folder}: Launcher,
  {baseUrl}: MockOpenAi,
  {graceMs = 1, agent = ''}: {readonly graceMs?: number; readonly agent?: string} = {},
): void {
  mkdirSync(join(folder, 'config/quorate'), {recursive: true});
  writeFileSync(
    join(folder, 'config/quorate/config.toml'),
    `[agent]
exploration_model = "mock/worker"
decision_model = "mock/worker"
review_models = ["mock/a", "mock/b", "mock/c"]
${agent}
[quorum]
feedback_grace_ms = ${graceMs}
[providers.mock]
base_url = "${baseUrl}"
`,
  );
}
