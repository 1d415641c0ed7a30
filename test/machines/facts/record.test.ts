/** What the record of a tree promises: what happened, as it happened, and for each actor what it and those below it told. */

import {expect, test} from 'vitest';
import {type AnyActorRef, createActor, setup} from 'xstate';

import {
  decisionsIn,
  denialsIn,
  type Fact,
  factsUnder,
  record,
  type Recorded,
  recordId,
  recordLogic,
  resultsIn,
  roundsIn,
  stepsIn,
  tasksAtWork,
} from '../../../machines/facts/record.ts';

const types: {events?: {type: 'fact.told'; fact: Fact | undefined}} = {};

const teller = setup({
  types,
  actions: {record: record((_, fact: Fact | undefined) => fact)},
}).createMachine({
  id: 'teller',
  on: {'fact.told': {actions: {type: 'record', params: ({event}) => event.fact}}},
});

const root = setup({
  actors: {teller, record: recordLogic},
}).createMachine({
  id: 'root',
  invoke: [
    {src: 'record', id: 'record', systemId: recordId},
    {src: 'teller', id: 'a', systemId: 'a'},
    {src: 'teller', id: 'ab', systemId: 'ab'},
  ],
});

const begun = (task: string): Fact => ({type: 'task.begun', task});

function start() {
  const tree: AnyActorRef = createActor(root, {id: 'root'}).start();
  const actor = (name: string): AnyActorRef => tree.system.get(name);
  const tell = (name: string, fact: Fact | undefined) =>
    actor(name).send({type: 'fact.told', fact});
  return {tree, actor, tell};
}

test('facts stand in the order in which they were told, each with the path of who told it', () => {
  const {tree, tell} = start();
  tell('ab', begun('1'));
  tell('a', begun('2'));
  expect(factsUnder(tree)).toEqual([
    {type: 'task.begun', task: '1', path: 'root/ab'},
    {type: 'task.begun', task: '2', path: 'root/a'},
  ]);
});

test('an actor reads what it and those below it told, not what one of a similar name did', () => {
  const {actor, tell} = start();
  tell('ab', begun('1'));
  tell('a', begun('2'));
  expect(factsUnder(actor('a'))).toMatchObject([{task: '2'}]);
});

test('of many facts none is lost, and none changes its place', () => {
  const {tree, tell} = start();
  const tasks = Array.from({length: 1_001}, (_, index) => `${index}`);
  for (const task of tasks) tell('a', begun(task));
  expect(factsUnder(tree).map((fact) => fact.type === 'task.begun' && fact.task)).toEqual(tasks);
});

test('who has nothing to tell adds nothing', () => {
  const {tree, tell} = start();
  tell('a', undefined);
  expect(factsUnder(tree)).toEqual([]);
});

test('without a record nothing is told, and nothing breaks', () => {
  const alone: AnyActorRef = createActor(teller).start();
  alone.send({type: 'fact.told', fact: begun('1')});
  expect(factsUnder(alone)).toEqual([]);
});

const told = (...facts: readonly Fact[]): Recorded[] =>
  facts.map((fact): Recorded => Object.assign({path: 'root'}, fact));

const result = (id: string) => ({
  id,
  description: `do ${id}`,
  status: 'succeeded' as const,
  output: '',
  evidence: [],
  written: [],
});

test('a task is at work from its begin to its end', () => {
  const ended: Fact = {type: 'task.ended', result: result('a')};
  expect(tasksAtWork(told(begun('a'), begun('b')))).toEqual(['a', 'b']);
  expect(tasksAtWork(told(begun('a'), begun('b'), ended))).toEqual(['b']);
  expect(resultsIn(told(begun('a'), ended))).toEqual([result('a')]);
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

test('panels decide by their rounds, persons by their words, in order; without quorum nothing is decided', () => {
  const facts = told(
    {type: 'quorum.decided', ...round('rejected')},
    {type: 'quorum.decided', ...round('noQuorum')},
    {type: 'decision.taken', decision: {by: 'person', decision: 'approve', hash: 'another'}},
    {type: 'quorum.decided', ...round('approved')},
  );
  expect(roundsIn(facts)).toHaveLength(3);
  expect(decisionsIn(facts)).toEqual([
    {by: 'panel', decision: 'reject', at: 5, hash: 'the hash of what was rejected'},
    {by: 'person', decision: 'approve', hash: 'another'},
    {by: 'panel', decision: 'approve', at: 5, hash: 'the hash of what was approved'},
  ]);
});

test('denials and steps are gathered from all that was told', () => {
  const denied = {tool: 'write_file', summary: 'write_file x', reasons: ['no']};
  const step = {
    thought: '',
    tool: 'read_file',
    args: {},
    status: 'succeeded' as const,
    text: 'done',
  };
  const facts = told(
    {type: 'steps.taken', steps: [step]},
    {type: 'action.denied', denied},
    {type: 'steps.taken', steps: [step, step]},
  );
  expect(denialsIn(facts)).toEqual([denied]);
  expect(stepsIn(facts)).toHaveLength(3);
});

test('what was heard is told once, also by whoever asks again', () => {
  const {tree, tell} = start();
  for (const heard of [1, 1, 2, 1]) tell('a', {type: 'news.heard', heard});
  tell('ab', {type: 'news.heard', heard: 1});
  expect(factsUnder(tree)).toMatchObject([{heard: 1}, {heard: 2}, {heard: 1, path: 'root/ab'}]);
});
