/** What the record of a tree promises: what happened, as it happened, and for each actor what it and those below it told. */

import {expect, test} from 'vitest';
import {type AnyActorRef, createActor, setup} from 'xstate';

import type {Recorded, Fact} from '../../../machines/facts/fact.ts';
import {
  roundsIn,
  denialsIn,
  resultsIn,
  tasksAtWork,
  stepsIn,
  decisionsIn,
} from '../../../machines/facts/folds.ts';
import {recordId, recordLogic, factsUnder} from '../../../machines/facts/record.ts';
import {report} from '../../../machines/facts/report.ts';
import {performFor} from '../../../machines/ports.ts';

const types: {events?: {type: 'fact.told'; fact: Fact | undefined}} = {};

const teller = setup({
  types,
  actions: {report: report((_, fact: Fact | undefined) => fact)},
}).createMachine({
  id: 'teller',
  on: {'fact.told': {actions: {type: 'report', params: ({event}) => event.fact}}},
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

const begun = (task: string) => ({type: 'task.started', task, description: ''}) as const;

function start() {
  const tree: AnyActorRef = createActor(root, {id: 'root'});
  performFor(tree.system, {request: () => {}});
  tree.start();
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
    {type: 'task.started', task: '1', description: '', path: 'root/ab'},
    {type: 'task.started', task: '2', description: '', path: 'root/a'},
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
  expect(factsUnder(tree).map((fact) => fact.type === 'task.started' && fact.task)).toEqual(tasks);
});

test('who has nothing to tell adds nothing', () => {
  const {tree, tell} = start();
  tell('a', undefined);
  expect(factsUnder(tree)).toEqual([]);
});

test('without a record nothing is told, and nothing breaks', () => {
  const alone: AnyActorRef = createActor(teller);
  performFor(alone.system, {request: () => {}});
  alone.start();
  alone.send({type: 'fact.told', fact: begun('1')});
  expect(factsUnder(alone)).toEqual([]);
});

const told = (...facts: readonly Bare<Recorded>[]): Recorded[] =>
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

test('a task is at work from its begin to its end', () => {
  const ended = {
    type: 'task.settled',
    task: 'a',
    status: 'succeeded',
    message: '',
    detail: {result: result('a')},
  } as const;
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
    {type: 'tool.settled', tool: 'write_file', status: 'rejected', message: 'no', detail: {denied}},
    {type: 'steps.taken', steps: [step, step]},
  );
  expect(denialsIn(facts)).toEqual([denied]);
  expect(stepsIn(facts)).toHaveLength(3);
});

test('what was heard is told once, also by whoever asks again', () => {
  const {tree, tell} = start();
  for (const count of [1, 1, 2, 1]) tell('a', {type: 'messages.read', count});
  tell('ab', {type: 'messages.read', count: 1});
  expect(factsUnder(tree)).toMatchObject([{count: 1}, {count: 2}, {count: 1, path: 'root/ab'}]);
});
