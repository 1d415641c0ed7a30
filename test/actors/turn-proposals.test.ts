/** The high-risk calls of one turn over the real runtime: one proposal, one ballot a seat, and only approved effects run. */

import {appendFileSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {beforeEach, expect, test} from 'vitest';

import {readRecordedRun} from '../../actors/history/record.ts';
import type {Entry} from '../../actors/journal/journal.ts';
import type {Run, Runtime} from '../../actors/runtime-api.ts';
import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {readAllLaws} from '../laws/laws.ts';
import {turnOf, use} from '../support/asking.ts';
import {answer, reply, vote} from '../support/scenario.ts';
import {commitAll, folderWith, follow, ofType, setStage} from '../support/stage.ts';

let folder = '';

beforeEach(() => {
  folder = folderWith({
    'sum.js': 'export const sum = (a, b) => a - b;\n',
    'sum.test.js':
      "import {test} from 'node:test';\nimport assert from 'node:assert';\nimport {sum} from './sum.js';\ntest('sum', () => assert.equal(sum(1, 2), 3));\n",
    'package.json': '{"type": "module", "scripts": {"test": "node --test"}}\n',
  });
  commitAll(folder);
});

const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');

type Call = readonly [name: string, args: JsonObject];

const read: Call = ['read_file', {path: 'sum.js'}];
const fix: Call = ['edit_file', {path: 'sum.js', old_text: 'a - b', new_text: 'a + b'}];
const rename: Call = ['edit_file', {path: 'sum.js', old_text: 'a + b', new_text: 'b + a'}];
const check: Call = ['run_command', {command: 'npm test'}];

function writing(path: string, content: string): Call {
  return ['write_file', {path, content}];
}

function starting(command: string): Call {
  return ['run_command', {command}];
}

interface Cast {
  /** The calls of each turn of the only task; after them it answers. */
  readonly turns: readonly (readonly Call[])[];
  /** The ballot of a seat on actions. Absent: it approves. */
  readonly ballot?: (seat: string) => ModelOutcome;
}

function startRun({turns, ballot = () => vote('approve')}: Cast) {
  const tasks = [{id: 'a', description: 'Mend the sum and run the tests'}];
  const {start, ...stage} = setStage({
    folder,
    plan: {objective: 'Mend the sum', reasoning: 'asked for', tasks},
    say: (request) => {
      if (request.purpose === 'review-action') return ballot(request.model);
      if (request.purpose !== 'act') return undefined;
      const calls = turns[turnOf(request)];
      return calls ? use('', ...calls) : answer('Mended.');
    },
    config: {
      sandbox: {mode: 'off'},
      agent: {review_models: ['t/a', 't/b'], max_replans: 0, hil_mode: 'interactive'},
    },
  });
  return {...stage, run: start('Mend the sum in sum.js and run the tests with npm test')};
}

async function eventsOf(run: Run, onEvent?: (event: ProgressEvent) => void) {
  return (await follow(run, onEvent)).events;
}

function roundsOn(events: readonly ProgressEvent[]) {
  return ofType(events, 'quorum.decided').filter(({kind}) => kind === 'action');
}

function settledIn(events: readonly ProgressEvent[]) {
  return ofType(events, 'tool.settled').filter(({tool}) => tool !== 'read_file');
}

function ballotsIn(requests: readonly ModelRequest[]) {
  return requests.filter(({purpose}) => purpose === 'review-action');
}

async function lawsOf(runtime: Runtime, id: string) {
  const {violations, ...rest} = readAllLaws(await readRecordedRun(id, await runtime.entries(id)));
  return {violations, ...rest};
}

test('an edit and the test after it are one proposal with one ballot a seat', async () => {
  const {run, runtime, requests} = startRun({turns: [[read], [fix, check]]});
  const events = await eventsOf(run);
  expect(await run.result).toMatchObject({status: 'completed'});
  expect(ballotsIn(requests)).toHaveLength(2);
  expect(roundsOn(events)).toMatchObject([
    {
      title: '2 actions: edit_file sum.js; run_command npm test',
      approved: true,
      calls: [{verdict: 'approved'}, {verdict: 'approved'}],
    },
  ]);
  expect(settledIn(events)).toMatchObject([{status: 'succeeded'}, {status: 'succeeded'}]);
  const laws = await lawsOf(runtime, run.id);
  expect(laws.violations).toEqual([]);
  expect(JSON.stringify(laws)).not.toContain('no recorded decision covers');
});

test('the second edit of a file is judged on the first, and both seats see its diff', async () => {
  const {run, requests} = startRun({turns: [[read], [fix, rename]]});
  const events = await eventsOf(run);
  expect(roundsOn(events)).toHaveLength(1);
  const [ballot] = ballotsIn(requests);
  const text = ballot?.transcript.messages[0]?.text ?? '';
  expect(text).toContain(
    '> -export const sum = (a, b) => a - b;\n> +export const sum = (a, b) => a + b;',
  );
  expect(text).toContain(
    '> -export const sum = (a, b) => a + b;\n> +export const sum = (a, b) => b + a;',
  );
  expect(textOf('sum.js')).toContain('b + a');
});

test('after a call that failed the rest is not run, and the model is told', async () => {
  const {run, requests} = startRun({turns: [[read], [check, fix]]});
  const events = await eventsOf(run);
  expect(settledIn(events)).toMatchObject([
    {tool: 'run_command', status: 'failed'},
    {tool: 'edit_file', status: 'refused'},
  ]);
  expect(textOf('sum.js')).toContain('a - b');
  const told = requests.findLast(({purpose}) => purpose === 'act')?.transcript.messages.at(-1);
  expect(told?.text).toBe(
    'Not run: a call before it in the same turn has not succeeded. Call it again if it is still wanted.',
  );
  expect((await run.result).denied ?? []).toEqual([]);
});

test('an effect that changed after the vote does not run, and neither do the calls after it', async () => {
  const {run, runtime} = startRun({
    turns: [[read], [fix, check]],
    ballot: (seat) => {
      if (seat === 't/b') appendFileSync(join(folder, 'sum.js'), '// by another\n');
      return vote('approve');
    },
  });
  const events = await eventsOf(run);
  expect(settledIn(events)).toMatchObject([
    {status: 'refused', message: expect.stringContaining('has changed since it was allowed')},
    {status: 'refused', message: expect.stringContaining('has not succeeded')},
  ]);
  expect(textOf('sum.js')).toBe('export const sum = (a, b) => a - b;\n// by another\n');
  expect((await lawsOf(runtime, run.id)).violations).toEqual([]);
});

test('the calls before the first one that the panel rejects by itself may run', async () => {
  const {run, runtime, requests} = startRun({
    turns: [[read], [fix, check]],
    ballot: (seat) =>
      reply('cast_ballot', {
        verdict: 'approve',
        reasons: ['the edit is right'],
        confidence: 0.9,
        ...(seat === 't/a'
          ? {calls: [{number: 2, verdict: 'reject', reasons: ['run one test only']}]}
          : {}),
      }),
  });
  const events = await eventsOf(run);
  expect(roundsOn(events)).toMatchObject([
    {
      approved: false,
      votes: [{model: 'a', verdict: 'reject', reasons: ['call 2: run one test only']}, {}],
      calls: [{verdict: 'approved'}, {verdict: 'rejected'}],
    },
  ]);
  expect(settledIn(events)).toMatchObject([
    {status: 'succeeded'},
    {status: 'rejected', message: 'Not allowed. a: run one test only'},
  ]);
  expect(textOf('sum.js')).toContain('a + b');
  expect((await run.result).denied).toMatchObject([{tool: 'run_command'}]);
  expect(ballotsIn(requests)).toHaveLength(2);
  expect((await lawsOf(runtime, run.id)).violations).toEqual([]);
});

test('a policy vetoes one call by its number, and the others are not decided', async () => {
  const destroy: Call = ['run_command', {command: 'rm -rf .'}];
  const {run, requests} = startRun({turns: [[read], [fix, destroy]]});
  const events = await eventsOf(run);
  expect(ballotsIn(requests)).toEqual([]);
  expect(roundsOn(events)).toMatchObject([
    {approved: false, calls: [{verdict: 'open'}, {verdict: 'rejected'}]},
  ]);
  expect(settledIn(events)).toMatchObject([
    {tool: 'edit_file', status: 'refused', message: expect.stringContaining('was not decided')},
    {tool: 'run_command', status: 'rejected', message: expect.stringContaining('safety/')},
  ]);
});

test('a command is judged with the files that calls before it in the proposal will write', async () => {
  const unknown = startRun({turns: [[writing('go.js', 'go();\n'), starting('node go.js')]]});
  const events = await eventsOf(unknown.run);
  const [ballot] = ballotsIn(unknown.requests);
  expect(ballot?.transcript.messages[0]?.text).toMatch(
    /can't judge "node go\.js": it may run go\.js, which git does not know or this run has changed/,
  );
  expect(settledIn(events).map(({status}) => status)).toEqual(['succeeded', 'failed']);
  const known = startRun({turns: [[writing('go.sh', 'rm -rf ~\n'), starting('sh go.sh')]]});
  expect(roundsOn(await eventsOf(known.run))).toMatchObject([
    {calls: [{verdict: 'open'}, {verdict: 'rejected'}]},
  ]);
});

test('a person who is asked sees all calls, and the approval covers each', async () => {
  const {run, runtime} = startRun({turns: [[read], [fix, check]], ballot: () => vote('abstain')});
  const events = await eventsOf(run, (event) => {
    if (event.type !== 'human.requested') return;
    const {kind, preview = '', allowed, proposalHash} = event.question;
    expect({kind, allowed}).toEqual({kind: 'action', allowed: ['approve', 'reject', 'revise']});
    expect(preview).toMatch(/2 actions.*1\. edit_file sum\.js.*a \+ b.*2\. run_command npm test/s);
    run.send({type: 'human.decided', gate: event.gate, decision: 'approve', digest: proposalHash});
  });
  expect(events.filter(({type}) => type === 'human.requested')).toHaveLength(1);
  expect(settledIn(events)).toMatchObject([{status: 'succeeded'}, {status: 'succeeded'}]);
  expect((await lawsOf(runtime, run.id)).violations).toEqual([]);
});

test('a rejected proposal is one rejection in the row', async () => {
  const {run} = startRun({
    turns: [1, 2, 3].map((at) => [writing(`a${at}.txt`, ''), writing(`b${at}.txt`, '')]),
    ballot: () => vote('reject'),
  });
  let rounds = 0;
  const asked: number[] = [];
  await eventsOf(run, (event) => {
    if (event.type === 'quorum.decided' && event.kind === 'action') rounds += 1;
    if (event.type !== 'human.requested') return;
    asked.push(rounds);
    run.send({type: 'human.decided', gate: event.gate, decision: 'reject'});
  });
  expect(asked).toEqual([3]);
  expect((await run.result).denied).toHaveLength(6);
});

test('a run that stops between two calls of a proposal does not vote again', async () => {
  const {run, runtime, requests} = startRun({turns: [[read], [fix, check]]});
  await eventsOf(run, (event) => {
    if (event.type === 'tool.settled' && event.tool === 'edit_file')
      void run.suspend('interrupted');
  });
  const votes = ballotsIn(requests).length;
  const resumed = await runtime.resume(run.id);
  const events = await eventsOf(resumed);
  expect(await resumed.result).toMatchObject({status: 'completed'});
  expect(ballotsIn(requests)).toHaveLength(votes);
  expect(votes).toBe(2);
  expect(settledIn(events)).toMatchObject([{tool: 'run_command', status: 'succeeded'}]);
  expect((await lawsOf(runtime, run.id)).violations).toEqual([]);
});

/** The entry with other decisions on the calls of a proposal, if it notes any. */
function withCalls(entry: Entry, change: (call: JsonObject) => JsonObject): Entry {
  const {calls} = entry.type === 'noted' ? entry.note : {};
  if (entry.type !== 'noted' || !Array.isArray(calls)) return entry;
  const changed = calls.map((call) => (isJsonObject(call) ? change(call) : call));
  return {...entry, note: {...entry.note, calls: changed}};
}

test('a record with other decisions on the calls than the panel made breaks the laws', async () => {
  const {run, runtime} = startRun({turns: [[read], [fix, check]]});
  await run.result;
  const entries = await runtime.entries(run.id);
  const lawsWith = async (change: (call: JsonObject) => JsonObject) => {
    const forged = entries.map((entry) => withCalls(entry, change));
    const {violations} = readAllLaws(await readRecordedRun(run.id, forged));
    return [...new Set(violations.map(({law}) => law))];
  };
  expect(await lawsWith((call) => call)).toEqual([]);
  expect(await lawsWith((call) => ({...call, hash: 'another action'}))).toContain(1);
  expect(await lawsWith((call) => ({...call, verdict: 'rejected'}))).toEqual(
    expect.arrayContaining([1, 4]),
  );
});
