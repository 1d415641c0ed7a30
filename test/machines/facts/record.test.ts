/** The record of a tree: facts in the order of their reports, and for each actor its own facts and its descendants'. */

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

const types: {events?: {type: 'fact.given'; fact: Fact | undefined}} = {};

const reporter = setup({
  types,
  actions: {report: report((_, fact: Fact | undefined) => fact)},
}).createMachine({
  id: 'reporter',
  on: {'fact.given': {actions: {type: 'report', params: ({event}) => event.fact}}},
});

const root = setup({
  actors: {reporter, record: recordLogic},
}).createMachine({
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
