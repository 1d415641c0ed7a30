/** A model that delegates to other interactions: their progress, questions, resumption and display. */

import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {act, ballot, call, isBallot, isPlanBallot} from '../support/agent-models.ts';
import {createLauncher, type Launched, type Launcher} from '../support/launch.ts';
import {
  type ReceivedRequest,
  type MockOpenAi,
  type Said,
  startMockOpenAi,
} from '../support/mock-openai.ts';

let launcher: Launcher;
let server: MockOpenAi;

beforeEach(async () => {
  launcher = createLauncher();
  server = await startMockOpenAi(answer);
  for (const folder of ['here', 'config/quorate'])
    mkdirSync(join(launcher.folder, folder), {recursive: true});
  writeFileSync(
    join(launcher.folder, 'config/quorate/config.toml'),
    `[agent]
exploration_model = "mock/worker"
decision_model = "mock/worker"
review_models = ["mock/a", "mock/b", "mock/c"]
max_plan_revisions = 1
[ask]
model = "mock/asker"
[quorum]
feedback_grace_ms = 1
[prices]
"mock/asker" = {input = 1, output = 10}
"mock/worker" = {input = 1, output = 10}
[providers.mock]
base_url = "${server.baseUrl}"
`,
  );
});

afterEach(async () => {
  await server.close();
  launcher.remove();
});

/** A question spawns an agent to write a note; all reviewers reject its plan. */
function answer(received: ReceivedRequest): Said {
  if (isPlanBallot(received)) return ballot('reject', 'not good enough');
  if (isBallot(received)) return ballot('approve');
  if (received.model !== 'asker') return act(received);
  if (received.turn > 0)
    return {text: `It was written: ${received.text.includes('[Agent Result (completed)]')}.`};
  return call('spawn_agent', {request: 'Write the note', context_mode: 'fresh'});
}

async function here(...args: string[]): Promise<Launched> {
  return await launcher.perform(['-C', join(launcher.folder, 'here'), ...args]);
}

test('a question about the plan of a child agent has its place, continues after a resume, and is shown', async () => {
  const asked = await here('ask', 'Write the note, and say whether it was written.');
  expect([asked.code, asked.stderr]).toEqual([4, expect.any(String)]);
  expect(asked.stderr).toContain(
    '[1 agent] Write the note (by the model, no context)\n[1] ▸ gathering\n',
  );
  expect(asked.stderr).toContain('[1]   a person must decide: ');
  expect(asked.stderr).toContain("for the interaction 1 below the run's own\n");
  const id = /quorate resume ([a-z0-9]+)/.exec(asked.stderr)?.[1] ?? '';
  const digest = /approve:([0-9a-f]+)/.exec(asked.stderr)?.[1] ?? '';

  const waiting = await here('show', id);
  expect(waiting.stdout).toContain('    1 agent waits for a person · by the model, no context · ');
  expect(JSON.parse((await here('show', id, '--output', 'json')).stdout)).toMatchObject({
    state: 'waiting',
    waiting: {interaction: `${id}.1`, question: {kind: 'plan'}},
    interactions: [{id: `${id}.1`, status: 'active', phase: 'awaitingHuman'}],
  });

  const resumed = await here('resume', id, '--decision', `approve:${digest}`);
  expect([resumed.code, resumed.stdout]).toEqual([0, 'It was written: true.\n']);
  expect(resumed.stderr).toContain('[1 agent] continues: Write the note\n');
  expect(resumed.stderr).toContain(
    '[1 agent] ✓ completed: A person allowed the plan "Write a note"',
  );
  expect(resumed.stderr).not.toContain('spawn_agent succeeded');
  expect(existsSync(join(launcher.folder, 'here/note.txt'))).toBe(true);

  const shown = await here('show', id);
  expect(shown.stdout).toMatch(
    /^    1 agent completed · by the model, no context · \d+ model calls · \$/m,
  );
  expect(shown.stdout).toContain('  [1] plan "Write a note", round 1: REJECTED');
  expect(shown.stdout).toContain('  [1] person approved plan "Write a note" against the panel');
  expect(shown.stdout).toContain('      → A person allowed the plan "Write a note"');
}, 60_000);

test('the last line of JSONL has all interactions, and events name their own', async () => {
  const asked = await here(
    'ask',
    'Write the note, and say whether it was written.',
    '--output',
    'jsonl',
  );
  const events = asked.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const result = events.at(-1);
  const child = `${result.interaction}.1`;
  expect(result).toMatchObject({
    type: 'result',
    interactions: [
      {id: child, form: 'agent', by: 'model', contextMode: 'fresh', depth: 1, status: 'active'},
    ],
    waiting: {interaction: child},
  });
  const voted = result.reviews.map(({kind, interaction}: {kind: string; interaction?: string}) => [
    kind,
    interaction,
  ]);
  expect(voted.slice(0, 2)).toEqual([
    ['action', undefined],
    ['plan', child],
  ]);
  const speakers = new Set(
    events
      .filter(({type}) => type === 'phase.changed' || type === 'usage')
      .map(({interaction}) => interaction),
  );
  expect(speakers).toEqual(new Set([result.interaction, child]));
}, 60_000);
