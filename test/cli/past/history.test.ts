/** The record of a run: its own history, and its tree of interactions. */

import {expect, test} from 'vitest';

import {createMemoryJournal} from '../../../actors/index.ts';
import type {Entry, EntryBody} from '../../../actors/journal/journal.ts';
import {tryPeekRun} from '../../../actors/sessions/run-state.ts';
import {
  editGround,
  ensembleIn,
  interactionsBelow,
  latestPlan,
  recordedTree,
  spentIn,
} from '../../../cli/past/history.ts';
import {resultLines} from '../../../cli/render/result/result.ts';
import {plainStyle} from '../../../cli/render/style.ts';
import {showLines} from '../../../cli/render/tables/show.ts';
import {widthOfText} from '../../../cli/render/text.ts';
import {startThreeLevels} from '../../support/three-levels.ts';

function planOf(objective: string) {
  return {objective, reasoning: 'r', tasks: [{id: '1', description: objective}]};
}

function drafted(belowRun: string, objective: string): EntryBody {
  return {
    type: 'settled',
    key: `i/interaction/${belowRun}form/planning/call#1`,
    request: 'd',
    ms: 1,
    outcome: {
      kind: 'ok',
      text: '',
      calls: [{id: 'c', name: 'create_plan', args: planOf(objective)}],
    },
  };
}

function edited(belowRun: string, objective: string): EntryBody {
  const gate = `i/interaction/${belowRun}form/gate#1`;
  return {
    type: 'received',
    event: {type: 'human.decided', decision: 'edit', gate, plan: planOf(objective)},
  };
}

function chosen(belowRun: string, by: string): EntryBody {
  const actor = `interaction/${belowRun}form/planning`;
  return {type: 'noted', note: {type: 'ensemble.chosen', by, drafts: [], actor}};
}

function asked(objective: string, proposalHash: string): EntryBody {
  const question = {reason: 'no quorum', plan: planOf(objective), proposalHash};
  return {type: 'noted', note: {type: 'human.requested', gate: 'g', question, actor: ''}};
}

async function entriesOf(...bodies: readonly EntryBody[]): Promise<readonly Entry[]> {
  const {log} = createMemoryJournal();
  const input = {settings: {tools: []}};
  await log.append([
    {interaction: 'r', bodies: [{type: 'opened', version: 'v', input}, ...bodies], at: 1},
  ]);
  return await log.read('r');
}

const belowRun = 'interaction:r.1/';

test.each([
  ['drafted', drafted],
  ['edited', edited],
])('a plan that is %s below does not count as the plan of the run', async (_, planned) => {
  const entries = await entriesOf(planned('', 'Its own'), planned(belowRun, 'Another'));
  expect(latestPlan(entries)?.objective).toBe('Its own');
});

test('the drafts of planners below do not count as drafts of the run', async () => {
  const entries = await entriesOf(chosen(belowRun, 'another'), chosen('', 'its-own'));
  expect(ensembleIn(entries)?.by).toBe('its-own');
});

test('an edited plan is compared with the plan of the named digest, or with the latest one', async () => {
  const entries = await entriesOf(asked('First', 'aa11'), asked('Second', 'bb22'));
  expect(editGround(entries).plan?.objective).toBe('Second');
  expect(editGround(entries, 'aa').plan?.objective).toBe('First');
});

const look = {style: plainStyle, width: 100, now: 0};

async function recorded() {
  const {run, goOn, question, discussion} = await startThreeLevels();
  const entries = await goOn();
  const result = await run.result;
  const row = {
    id: run.id,
    session: run.id,
    form: 'agent',
    request: 'Change the thing',
    workspace: '/w',
    openedAt: 0,
    updatedAt: 0,
    entries: entries.length,
    answer: undefined,
    bytes: 0,
  };
  return {entries, result, question, discussion, row};
}

/** The entries up to the one with this note for this interaction. */
function until(entries: readonly Entry[], type: string, child: string): readonly Entry[] {
  const last = entries.findIndex(
    (entry) =>
      entry.type === 'noted' &&
      entry.note['type'] === type &&
      entry.note['child'] === child.replace(/^[^.]*/, 'root'),
  );
  expect(last).toBeGreaterThan(0);
  return entries.slice(0, last + 1);
}

const free = {inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0};

test.each([
  ['an answer', {kind: 'ok', usage: {...free, inputTokens: 7}}, 1],
  ['a call that was aborted before it used tokens', {kind: 'cancelled', usage: free}, 1],
  ['a call without usage', {kind: 'network', message: 'lost'}, 1],
  [
    'a model that could not be reached, and is tried again',
    {kind: 'unavailable', retryable: true},
    1,
  ],
  ['an answer of the offline model', {kind: 'ok', usage: free}, 0],
  ['a refusal of the offline model', {kind: 'refused', usage: free}, 0],
  ['a call beyond the budget', {kind: 'overBudget'}, 0],
  ['a model that could not be reached', {kind: 'unavailable'}, 0],
])('%s counts as in the ledger of the run', (_, outcome, calls) => {
  const key = 'i/interaction/form/planning/question/call/model#1';
  const settled = {type: 'settled', key, request: 'r', outcome, ms: 0} as const;
  expect(spentIn({...settled, seq: 1, at: 0, hash: ''})).toHaveLength(calls);
});

test('the journal contains, without a replay, the parents, outcomes and costs', async () => {
  const {entries, row, result, question, discussion} = await recorded();
  const tree = recordedTree(row, entries, undefined);
  const below = interactionsBelow(tree);
  expect(below).toMatchObject([
    {
      id: question,
      form: 'ask',
      parent: row.id,
      depth: 1,
      contextMode: 'fresh',
      by: 'person',
      status: 'completed',
      request: 'How deep is it?',
      text: '[Ask Result]: It is 3 m deep.',
      usage: {modelCalls: 1},
    },
    {
      id: discussion,
      form: 'discuss',
      parent: question,
      depth: 2,
      status: 'completed',
      request: 'Is that deep enough?',
      text: '[Discuss Result (2 models)]: Deep enough.',
      usage: {modelCalls: 3},
    },
  ]);
  expect(below).toMatchObject(result.interactions ?? []);
  const calls = tree.interactions.map(({spent}) => spent.modelCalls);
  expect(calls.reduce((sum, count) => sum + count, 0)).toBe(result.usage.modelCalls);
});

test('a run that has ended shows its tree, in any width', async () => {
  const {entries, row} = await recorded();
  const shown = {
    row: {...row, status: 'completed'},
    state: 'ended',
    entries,
    peeked: undefined,
  } as const;
  const lines = showLines(shown, look);
  const at = lines.indexOf('Interactions');
  expect(lines.slice(at + 1, at + 8)).toEqual([
    expect.stringMatching(/^  agent completed · \d+ model calls · \$/),
    '    1 ask completed · by a person, no context · 1 model call · $0.0010',
    '      How deep is it?',
    '      → It is 3 m deep.',
    '      1.1 discuss completed · by a person, no context · 3 model calls · $0.0030',
    '        Is that deep enough?',
    '        → Deep enough.',
  ]);
  const narrow = showLines(shown, {...look, width: 30});
  const rows = narrow.slice(narrow.indexOf('Interactions') + 1).filter((line) => /→|\?/.test(line));
  expect(rows.filter((line) => widthOfText(line) > 30)).toEqual([]);
});

test('a run that was killed shows the state of each interaction', async () => {
  const {entries, row, discussion} = await recorded();
  const killed = until(entries, 'interaction.settled', discussion);
  const peeked = await tryPeekRun(row.id, killed);
  const below = interactionsBelow(recordedTree(row, killed, peeked));
  expect(below).toMatchObject([
    {form: 'ask', status: 'active', phase: 'working'},
    {form: 'discuss', status: 'completed', text: '[Discuss Result (2 models)]: Deep enough.'},
  ]);
  const shown = {
    row: {...row, status: undefined},
    state: 'crashed',
    entries: killed,
    peeked,
  } as const;
  const lines = showLines(shown, look);
  expect(lines).toContain('    1 ask working · by a person, no context');
  expect(lines).toContain(
    '      1.1 discuss completed · by a person, no context · 3 model calls · $0.0030',
  );
});

test('a run of other charts is shown from its notes only', async () => {
  const {entries, row, question} = await recorded();
  const early = until(entries, 'interaction.spawned', question);
  const foreign = early.map((entry) =>
    entry.digest === undefined ? entry : Object.assign({}, entry, {digest: 'elsewhere'}),
  );
  expect(await tryPeekRun(row.id, foreign)).toBeUndefined();
  expect(interactionsBelow(recordedTree(row, foreign, undefined))).toMatchObject([
    {id: question, status: 'active', summary: ''},
  ]);
});

test('the result lists the interactions below, for readers without the progress', async () => {
  const {result} = await recorded();
  const lines = resultLines(result, {style: plainStyle, width: 80});
  const at = lines.indexOf('Interactions');
  expect(lines.slice(at + 1, at + 3)).toEqual([
    '  1 ask completed: It is 3 m deep.',
    '    1.1 discuss completed: Deep enough.',
  ]);
  expect(resultLines(result, {style: plainStyle, width: 80, isBrief: true})).not.toContain(
    'Interactions',
  );
});
