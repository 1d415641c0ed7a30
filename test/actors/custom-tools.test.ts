/** Runs with tools of the configuration: votes, offers, undo, and a later process. */

import {mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {expect, onTestFinished, test} from 'vitest';

import {
  type ConfigInput,
  createFunctionModel,
  createRuntime,
  createSqliteJournal,
} from '../../actors/index.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import {createAsking, lastText, say, turnOf, use} from '../support/asking.ts';
import {cutJournal, replyOfAgent, vote} from '../support/scenario.ts';

const depth = {
  command: ['sh', '-c', 'echo "$0 is 3 m deep"', '{place}'],
  description: 'Measures a depth.',
  parameters: {place: {type: 'string', required: true}},
  risk: 'low',
  reaches: 'nothing',
  repeatability: 'repeatable',
} as const;

function measures(request: ModelRequest): ModelOutcome {
  return turnOf(request) === 0 ? use('', ['depth', {place: 'pool'}]) : say(lastText(request));
}

function configWith(tools: object): ConfigInput {
  return JSON.parse(JSON.stringify({tools, sandbox: {mode: 'off'}}));
}

test('a question is offered the tools of low risk, with the schema of their parameters', async () => {
  const {risk: _, ...high} = depth;
  const asking = createAsking({answer: measures, config: configWith({depth, dig: high})});
  const {result, events} = await asking.ask();
  expect(result.answer).toContain('pool is 3 m deep');
  expect(events.some(({type}) => type === 'quorum.started')).toBe(false);
  expect(asking.requests[0]?.tools).toContain('depth');
  expect(asking.requests[0]?.tools).not.toContain('dig');
});

test('a resumed run uses the definitions with which it was opened', async () => {
  const first = createAsking({answer: measures, config: configWith({depth})});
  const {result} = await first.ask();
  const entries = await first.runtime.entries(result.interaction);
  const journal = cutJournal(result.interaction, entries.slice(0, 3));
  const other = {...depth, command: ['sh', '-c', 'echo "$0 is dry"', '{place}']};
  const again = createAsking({answer: measures, journal, config: configWith({depth: other})});
  const resumed = await (await again.runtime.resume(result.interaction)).result;
  expect(resumed.answer).toBe(result.answer);
  expect((await again.ask()).result.answer).toContain('pool is dry');
});

test('the settings of a run define no tools', async () => {
  const asking = createAsking({answer: measures});
  const start = () =>
    asking.runtime.start({form: 'ask', request: 'How deep?', settings: configWith({depth})});
  expect(start).toThrow(expect.objectContaining({code: 'usage'}));
  await asking.runtime.close();
});

interface AgentPlace {
  readonly workspace: string;
  readonly run: (
    verdict?: 'approve' | 'reject',
  ) => Promise<{readonly id: string; readonly requests: readonly ModelRequest[]}>;
  readonly undo: (id: string) => Promise<void>;
}

const stamp = {
  command: ['sh', '-c', 'printf %s "$0" > "$1"', '{text}', '{file}'],
  description: 'Stamps a file.',
  parameters: {text: {type: 'string', required: true}, file: {type: 'path', required: true}},
  writes: ['file'],
  reaches: 'workspace',
};

/** Outside of /tmp, because any user may write there. The agent calls the tool `stamp` once. */
function createAgentPlace(): AgentPlace {
  const root = realpathSync(mkdtempSync('/var/tmp/quorate-custom-'));
  const workspace = join(root, 'work');
  mkdirSync(workspace);
  const requests: ModelRequest[] = [];
  const journal = createSqliteJournal(join(root, 'journal.db'));
  let verdict: 'approve' | 'reject' = 'approve';
  const runtime = createRuntime({
    config: {
      ...configWith({stamp}),
      agent: {
        exploration_model: 'test/m',
        decision_model: 'test/m',
        review_models: ['test/m'],
        hil_mode: 'auto_reject',
        max_replans: 0,
      },
      quorum: {screen: []},
    },
    models: [
      createFunctionModel('test/m', (request) => {
        requests.push(request);
        return replyTo(request, verdict);
      }),
    ],
    journal,
    env: {},
    cacheFolder: join(root, 'cache'),
  });
  onTestFinished(async () => {
    await runtime.close();
    await journal.close();
    rmSync(root, {recursive: true});
  });
  return {
    workspace,
    run: async (wanted = 'approve') => {
      verdict = wanted;
      const run = runtime.start({form: 'agent', request: 'Stamp a.txt', workspace});
      await run.result;
      return {id: run.id, requests};
    },
    undo: async (id) => void (await runtime.undo(id)),
  };
}

function replyTo(request: ModelRequest, verdict: 'approve' | 'reject'): ModelOutcome {
  if (request.purpose === 'review-action') return vote(verdict);
  const args = {text: '; rm -rf .', file: 'a.txt'};
  const task = {id: 'stamp', description: 'Stamp it', tool: 'stamp', args};
  return replyOfAgent(request, {objective: 'Stamp', reasoning: 'one call', tasks: [task]});
}

test('a call of high risk is voted on with its words, and undo takes its changes back', async () => {
  const place = createAgentPlace();
  const file = join(place.workspace, 'a.txt');
  writeFileSync(file, 'old');
  const {id, requests} = await place.run();
  expect(readFileSync(file, 'utf8')).toBe('; rm -rf .');
  const voted = requests.find(({purpose}) => purpose === 'review-action');
  expect(voted?.transcript.messages[0]?.text).toContain(
    `$ sh -c 'printf %s "$0" > "$1"' '; rm -rf .' a.txt`,
  );
  await place.undo(id);
  expect(readFileSync(file, 'utf8')).toBe('old');
});

test('a call that the panel rejects starts nothing', async () => {
  const place = createAgentPlace();
  const file = join(place.workspace, 'a.txt');
  writeFileSync(file, 'old');
  await place.run('reject');
  expect(readFileSync(file, 'utf8')).toBe('old');
});
