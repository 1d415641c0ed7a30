/** The record of a tree, and the folds of its facts. */

import {expect, test} from 'vitest';
import {type AnyActorRef, createActor, setup} from 'xstate';

import type {Change} from '../../../machines/domain/patch.ts';
import {
  decisionsIn,
  denialsIn,
  type Fact,
  netChanges,
  type Recorded,
  resultsIn,
  roundsIn,
  stepsIn,
  tasksAtWork,
  withRefusals,
} from '../../../machines/facts/fact.ts';
import type {ProgressEvent} from '../../../machines/facts/progress.ts';
import {factsUnder, recordId, recordLogic, report} from '../../../machines/facts/record.ts';
import {performFor} from '../../../machines/ports.ts';

const types: {events?: {type: 'fact.given'; fact: Fact | undefined}} = {};

const reporter = setup({
  types,
  actions: {report: report((_, fact: Fact | undefined) => fact)},
}).createMachine({
  id: 'reporter',
  on: {'fact.given': {actions: {type: 'report', params: ({event}) => event.fact}}},
});

const root = setup({actors: {reporter, record: recordLogic}}).createMachine({
  id: 'root',
  invoke: [
    {src: 'record', id: 'record', systemId: recordId},
    {src: 'reporter', id: 'a', systemId: 'a'},
    {src: 'reporter', id: 'ab', systemId: 'ab'},
  ],
});

const begun = (task: string) => ({type: 'task.started', task, description: ''}) as const;

function start() {
  const tree: AnyActorRef = createActor(root, {id: 'root'});
  performFor(tree.system, {request: () => {}});
  tree.start();
  const actor = (name: string): AnyActorRef => tree.system.get(name);
  const reportFact = (name: string, fact: Fact | undefined) =>
    actor(name).send({type: 'fact.given', fact});
  return {tree, actor, reportFact};
}

test('facts are in the order of their reports, each with the path of its actor', () => {
  const {tree, reportFact} = start();
  reportFact('ab', begun('1'));
  reportFact('a', begun('2'));
  expect(factsUnder(tree)).toEqual([
    {type: 'task.started', task: '1', description: '', path: 'root/ab'},
    {type: 'task.started', task: '2', description: '', path: 'root/a'},
  ]);
});

test('an actor reads its own facts and its descendants’, not the facts of an actor with a similar name', () => {
  const {actor, reportFact} = start();
  reportFact('ab', begun('1'));
  reportFact('a', begun('2'));
  expect(factsUnder(actor('a'))).toMatchObject([{task: '2'}]);
});

test('no fact of many is lost or reordered', () => {
  const {tree, reportFact} = start();
  const tasks = Array.from({length: 1_001}, (_, index) => `${index}`);
  for (const task of tasks) reportFact('a', begun(task));
  expect(factsUnder(tree).map((fact) => fact.type === 'task.started' && fact.task)).toEqual(tasks);
});

test('an undefined fact adds nothing to the record', () => {
  const {tree, reportFact} = start();
  reportFact('a', undefined);
  expect(factsUnder(tree)).toEqual([]);
});

test('without a record, a reported fact is dropped without an error', () => {
  const alone: AnyActorRef = createActor(reporter);
  performFor(alone.system, {request: () => {}});
  alone.start();
  alone.send({type: 'fact.given', fact: begun('1')});
  expect(factsUnder(alone)).toEqual([]);
});

const recorded = (...facts: readonly Bare<Recorded>[]): Recorded[] =>
  facts.map((fact): Recorded => Object.assign({path: 'root'}, fact));

type Bare<Each> = Each extends unknown ? Omit<Each, 'path'> : never;

const result = (id: string) => ({
  id,
  description: `do ${id}`,
  status: 'succeeded' as const,
  output: '',
  evidence: [],
  written: [],
});

test('a task is at work from its start until it settles', () => {
  const ended = {
    type: 'task.settled',
    task: 'a',
    status: 'succeeded',
    message: '',
    detail: {result: result('a')},
  } as const;
  expect(tasksAtWork(recorded(begun('a'), begun('b')))).toEqual(['a', 'b']);
  expect(tasksAtWork(recorded(begun('a'), begun('b'), ended))).toEqual(['b']);
  expect(resultsIn(recorded(begun('a'), ended))).toEqual([result('a')]);
});

const round = (verdict: 'approved' | 'rejected' | 'noQuorum') => ({
  round: 1,
  kind: 'plan' as const,
  title: 'do it',
  rule: 'majority',
  proposalHash: `the hash of what was ${verdict}`,
  seats: [],
  weights: {},
  vetoes: [],
  votes: [],
  participation: {cast: 0, required: 1},
  approved: verdict === 'approved',
  verdict,
  summary: '',
  early: false,
  withdrawn: [],
  degraded: false,
  timestamp: 5,
});

test('the decisions of panels and persons are in order; a round without quorum is not a decision', () => {
  const facts = recorded(
    {type: 'quorum.decided', ...round('rejected')},
    {type: 'quorum.decided', ...round('noQuorum')},
    {
      type: 'human.decided',
      gate: 'g',
      by: 'person',
      decision: 'approve',
      proposalHash: 'another',
      detail: {},
    },
    {type: 'quorum.decided', ...round('approved')},
  );
  expect(roundsIn(facts)).toHaveLength(3);
  expect(decisionsIn(facts)).toEqual([
    {by: 'panel', decision: 'reject', at: 5, hash: 'the hash of what was rejected'},
    {by: 'person', decision: 'approve', hash: 'another'},
    {by: 'panel', decision: 'approve', at: 5, hash: 'the hash of what was approved'},
  ]);
});

test('denials and steps are gathered from all recorded facts', () => {
  const denied = {tool: 'write_file', summary: 'write_file x', reasons: ['no']};
  const step = {
    thought: '',
    tool: 'read_file',
    args: {},
    status: 'succeeded' as const,
    text: 'done',
  };
  const facts = recorded(
    {type: 'steps.taken', steps: [step]},
    {type: 'tool.settled', tool: 'write_file', status: 'rejected', message: 'no', detail: {denied}},
    {type: 'steps.taken', steps: [step, step]},
  );
  expect(denialsIn(facts)).toEqual([denied]);
  expect(stepsIn(facts)).toHaveLength(3);
});

test('a count of read messages is recorded only if it exceeds the recorded counts of its actor', () => {
  const {tree, reportFact} = start();
  for (const count of [1, 1, 2, 1]) reportFact('a', {type: 'messages.read', count});
  reportFact('ab', {type: 'messages.read', count: 1});
  expect(factsUnder(tree)).toMatchObject([{count: 1}, {count: 2}, {count: 1, path: 'root/ab'}]);
});

const settledWith = (...changes: readonly Change[]): Recorded => ({
  type: 'tool.settled',
  path: 'agent/execution/task:a/turns/call:1.0',
  tool: 'write_file',
  status: 'succeeded',
  message: '',
  changes,
  detail: {},
});

const made = (path: string, added: number): Change => ({
  path,
  added,
  removed: 0,
  diff: `--- /dev/null\n+++ b/${path}\n`,
});
const gone = (path: string, lines: number): Change => ({
  path,
  added: 0,
  removed: lines,
  diff: `--- a/${path}\n+++ /dev/null\n`,
});
const changed = (path: string, added: number, removed: number): Change => ({
  path,
  added,
  removed,
  diff: `--- a/${path}\n+++ b/${path}\n`,
});

const net = (...lines: readonly (readonly [added: number, removed: number])[]) => ({
  net: lines.map(([added, removed]) => ({added, removed})),
});

const below = (path: string, ...changes: Change[]): Recorded => ({
  ...settledWith(...changes),
  path,
});

test.each([
  [
    'that changed twice has the difference of its first text and its last',
    [changed('a', 2, 1), {...changed('a', 1, 2), ...net([2, 2])}],
    [{added: 2, removed: 2}],
  ],
  [
    'whose first text is not known has the sum of its changes',
    [changed('a', 2, 1), changed('a', 1, 2)],
    [{added: 3, removed: 3}],
  ],
  ['that is new and empty is listed too', [made('a', 0)], [{added: 0, removed: 0}]],
  [
    'that was created and emptied is still new',
    [made('a', 3), {...changed('a', 0, 3), ...net([0, 0])}],
    [{added: 0, removed: 0}],
  ],
  [
    'that was created and removed is not listed',
    [made('a', 3), {...gone('a', 3), ...net([0, 0])}],
    [],
  ],
  [
    'that was removed and made again as before is not listed',
    [gone('a', 3), {...made('a', 3), ...net([0, 0])}],
    [],
  ],
  [
    'that gained lines and lost them again is unchanged',
    [changed('a', 3, 0), {...changed('a', 0, 3), ...net([0, 0])}],
    [],
  ],
])('a file %s', (_, changes, expected) => {
  expect(netChanges([settledWith(...changes)])).toEqual(
    expected.map((each) => ({path: 'a', ...each})),
  );
});

test('the net changes of an interaction begin with its own first change', () => {
  const [own, first, second] = [
    below('i/agent', changed('a', 1, 1)),
    below('i/interaction:r.1/agent', {...changed('a', 2, 2), ...net([3, 3], [2, 2])}),
    below('i/interaction:r.1/agent', {...changed('a', 4, 4), ...net([7, 7], [6, 6])}),
  ];
  expect(netChanges([own, first, second])).toEqual([{path: 'a', added: 7, removed: 7}]);
  expect(netChanges([first, second])).toEqual([{path: 'a', added: 6, removed: 6}]);
});

const decided = {
  type: 'human.decided',
  gate: 'g',
  by: 'person',
  decision: 'edit',
  proposalHash: 'h',
  title: 'the plan',
} as const;
const refused = {type: 'decision.refused', proposalHash: 'h', because: 'it has no tasks'} as const;
const shown = {by: 'person', decision: 'edit', hash: 'h', title: 'the plan', at: 5};

test('a refused decision carries its refusal, in a tree and among progress events', () => {
  const facts: readonly Recorded[] = [
    {...decided, path: 'i', detail: {at: 5}},
    {...refused, path: 'i'},
  ];
  const stamp = {seq: 1, at: 5, interaction: 'i', actor: ''};
  const events: readonly ProgressEvent[] = [
    {...decided, ...stamp},
    {...refused, ...stamp},
  ];
  expect(decisionsIn(withRefusals(facts))).toEqual([{...shown, refused: 'it has no tasks'}]);
  expect(decisionsIn(withRefusals(events))).toEqual([{...shown, refused: 'it has no tasks'}]);
  expect(decisionsIn(withRefusals(events.slice(0, 1)))).toEqual([shown]);
});

test('a refusal does not affect a decision on another proposal', () => {
  const [first, ...rest] = [
    {...decided, path: 'i', detail: {}, proposalHash: 'other'},
    {...refused, path: 'i'},
  ] as const;
  expect(withRefusals<Recorded>([first, ...rest])).toEqual([first]);
});
