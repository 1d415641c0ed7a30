/** Runs with tools of the configuration: votes, offers, undo, and a later process. */

import {join} from 'node:path';

import {expect, test} from 'vitest';

import type {ConfigInput} from '../../actors/index.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import {createAsking, lastText, say, turnOf, use} from '../support/asking.ts';
import {cutJournal, vote} from '../support/scenario.ts';
import {folderWith, journalIn, setStage} from '../support/stage.ts';

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

const stamp = {
  command: ['sh', '-c', 'printf %s "$0" > "$1"', '{text}', '{file}'],
  description: 'Stamps a file.',
  parameters: {text: {type: 'string', required: true}, file: {type: 'path', required: true}},
  writes: ['file'],
  reaches: 'workspace',
};

/** Outside of /tmp, because any user may write there. The agent calls the tool `stamp` once; `a.txt` holds "old". */
function stamping(verdict: 'approve' | 'reject') {
  const root = folderWith({'work/a.txt': 'old'}, '/var/tmp');
  const args = {text: '; rm -rf .', file: 'a.txt'};
  return setStage({
    folder: join(root, 'work'),
    tasks: [{id: 'stamp', description: 'Stamp it', tool: 'stamp', args}],
    say: ({purpose}) => (purpose === 'review-action' ? vote(verdict) : undefined),
    config: {
      ...configWith({stamp}),
      agent: {review_models: ['t/a'], max_replans: 0},
      quorum: {screen: []},
    },
    journal: journalIn(root),
    cacheFolder: join(root, 'cache'),
  });
}

test('a call of high risk is voted on with its words, and undo takes its changes back', async () => {
  const {run, runtime, requests, text} = stamping('approve');
  const {interaction} = await run('Stamp a.txt');
  expect(text('a.txt')).toBe('; rm -rf .');
  const voted = requests.find(({purpose}) => purpose === 'review-action');
  expect(voted?.transcript.messages[0]?.text).toContain(
    `$ sh -c 'printf %s "$0" > "$1"' '; rm -rf .' a.txt`,
  );
  await runtime.undo(interaction);
  expect(text('a.txt')).toBe('old');
});

test('a call that the panel rejects starts nothing', async () => {
  const {run, text} = stamping('reject');
  await run('Stamp a.txt');
  expect(text('a.txt')).toBe('old');
});
