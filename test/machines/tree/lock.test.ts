/** The lock and the mode of a tree, and the messages that it delivers and passes on. */

import {expect, test} from 'vitest';
import {type AnyActorRef, type AnyStateMachine, assign, setup} from 'xstate';

import {openAsk} from '../../../machines/forms/ask/ask-state.ts';
import {executionMachine, treeMachine, interactionMachine} from '../../../machines/index.ts';
import {spawnBelow, type SpawnOrder} from '../../../machines/tree/children.ts';
import {type PendingMessages, messagesFor} from '../../../machines/tree/messages.ts';
import {byHand, type ByHand} from '../../support/by-hand.ts';
import {executionInput, planOf} from '../events/execution.ts';
import {previewing, ran, ruling, allow, calling, saying} from '../events/outcomes.ts';
import {policySeat, smallSettings, treeInput, usualSettings} from '../events/settings.ts';
import {form, message} from '../forms/interview/talk.ts';

/** Parallel writes, each up to its vote. */
function writes(...ids: readonly string[]): ByHand {
  const tasks = writesMode({}, ids);
  for (const id of ids) {
    const request = {tool: 'write_file', args: {path: id}, workspace: '/w'};
    const [preview] = previewing({path: '', port: 'previewTool', request});
    tasks.settle(`task:${id}/call/review/preview`, preview ?? {});
  }
  return tasks;
}

const vote = (id: string) => `task:${id}/call/review/quorum/screen`;
const waiting = (tasks: ByHand, what: string) => tasks.open().filter((path) => path.endsWith(what));

test('approved calls run one after another, in the order of their approval', () => {
  const tasks = writes('a', 'b', 'c');
  for (const id of ['b', 'a', 'c']) tasks.settle(vote(id), ruling('approve'));
  const order = ['b', 'a', 'c'].map((id) => {
    const [run] = waiting(tasks, '/run');
    tasks.settle(`task:${id}/call/run`, ran);
    return run;
  });
  expect(order).toEqual(['task:b/call/run', 'task:a/call/run', 'task:c/call/run']);
});

test('four rejected writes in four parallel tasks open the gate at the third and at the fourth', () => {
  const tasks = writes('a', 'b', 'c', 'd');
  const gates = ['a', 'b', 'c', 'd'].map((id) => {
    tasks.settle(vote(id), ruling('reject'));
    return waiting(tasks, '/gate/person').length;
  });
  expect(gates).toEqual([0, 0, 1, 2]);
});

test('a person who is asked after three rejections reads the votes on all three, the current one last', () => {
  const tasks = writes('a', 'b', 'c');
  for (const id of ['b', 'a', 'c']) tasks.settle(vote(id), ruling('reject'));
  const [question] = tasks.requests('askHuman');
  expect(question?.history).toMatchObject(
    ['b', 'a', 'c'].map((id) => ({title: `write_file ${id}`, verdict: 'rejected'})),
  );
  expect(question?.history.at(-1)?.proposalHash).toBe(question?.proposalHash);
});

test('a call that held the lock resets the count of rejections', () => {
  const tasks = writes('a', 'b', 'c', 'd');
  tasks.settle(vote('a'), ruling('reject'));
  tasks.settle(vote('b'), ruling('reject'));
  tasks.settle(vote('c'), ruling('approve'));
  tasks.settle('task:c/call/run', ran);
  tasks.settle(vote('d'), ruling('reject'));
  expect(waiting(tasks, '/gate/person')).toEqual([]);
});

/** Parallel writes. */
function writesMode(more: object = {}, ids: readonly string[] = ['a', 'b']): ByHand {
  const tasks = ids.map((id) => ({
    id,
    description: `write ${id}`,
    tool: 'write_file',
    args: {path: id},
  }));
  const settings = smallSettings('interactive', [policySeat], {maxParallelTasks: 4});
  return byHand(executionMachine, executionInput(planOf('plan', tasks), settings, more));
}

/** Brings the write of a task to its gate. */
function upToGate(execution: ByHand, id: string, more: object = {}): void {
  const preview = {kind: 'ready', args: {path: id}, preview: '+y', ...more};
  execution.settle(`task:${id}/call/review/preview`, preview);
  execution.settle(`task:${id}/call/review/quorum`, ruling('abstain'));
}

const change = (execution: ByHand, hilMode: string) =>
  execution.send({type: 'settings.changed', hilMode});

const persons = (execution: ByHand) =>
  execution.open().filter((path) => path.endsWith('/gate/person'));

test('a change reaches all gates that are open', () => {
  const execution = writesMode();
  upToGate(execution, 'a');
  upToGate(execution, 'b');
  change(execution, 'auto_reject');
  expect(persons(execution)).toEqual([]);
  expect(execution.reports('human.decided')).toMatchObject([
    {by: 'auto_reject', decision: 'reject'},
    {by: 'auto_reject', decision: 'reject'},
  ]);
});

test('a gate that opens later receives the current mode', () => {
  const execution = writesMode();
  change(execution, 'auto_reject');
  change(execution, 'auto_approve');
  upToGate(execution, 'a');
  expect(execution.reports('human.decided')).toMatchObject([
    {by: 'auto_approve', decision: 'approve'},
  ]);
  expect(execution.requests('askHuman')).toEqual([]);
});

test('a change does not affect a gate that was decided', () => {
  const execution = writesMode();
  upToGate(execution, 'a');
  execution.settle('person', {decision: 'approve'});
  change(execution, 'auto_reject');
  expect(execution.reports('human.decided')).toMatchObject([{by: 'person', decision: 'approve'}]);
});

test('auto_approve closes the gates where it may, and leaves the others to a person', () => {
  const execution = writesMode();
  upToGate(execution, 'a');
  upToGate(execution, 'b', {protectedReason: 'it is under .git'});
  change(execution, 'auto_approve');
  expect(persons(execution)).toEqual(['task:b/call/review/gate/person']);
});

test('auto_approve leaves a call to a person that may send what was read to an address that nobody named', () => {
  const execution = writesMode({
    evidence: [{tool: 'read_file', did: 'read', target: 'a', ok: true}],
  });
  upToGate(execution, 'a');
  upToGate(execution, 'b', {reaches: ['https://evil.test/x']});
  change(execution, 'auto_approve');
  expect(persons(execution)).toEqual(['task:b/call/review/gate/person']);
});

const model = 'offline/offline';
const passingSettings = {
  ...smallSettings('interactive', []),
  interview: {model, reviewer: model, maxLoops: 3, maxFollowUps: 1},
};

function treeOf(kind: 'ask' | 'interview'): ByHand {
  const input = treeInput(kind, passingSettings, {request: 'Your trip'});
  return byHand(treeMachine, input, {isTree: true});
}

function spawn(tree: ByHand, parent: string): void {
  tree.send({type: 'interaction.spawn', parent, form: 'ask', request: 'what?', by: 'person'});
}

/** Answers the question of the root, so that it waits for its children. */
function answerRoot(tree: ByHand): void {
  tree.settle('subject/interaction/form/input', allow);
  tree.settle('subject/interaction/form/turns/model', saying('so it is'));
  tree.settle('subject/interaction/form/output', allow);
}

test('a changed form reaches the interview', () => {
  const tree = treeOf('interview');
  tree.settle('/form', {questionnaire: form});
  expect(message(tree)).toContain('Your trip');
  tree.send({type: 'form.changed', questionnaire: {...form, title: 'Our trip'}});
  expect(message(tree)).toContain('The form has changed');
});

test.each(['while the root is at work', 'while the root waits for it'])(
  'a change of settings reaches a child %s',
  (when) => {
    const tree = treeOf('ask');
    spawn(tree, 'root');
    if (when.includes('waits')) answerRoot(tree);
    tree.send({type: 'settings.changed', settings: {ask: {maxSteps: 1}}});
    tree.settle('root.1/form/input', allow);
    tree.settle('root.1/form/turns/model', calling('read_file', {path: 'x'}));
    tree.settle('root.1/form/turns/call', ran);
    expect(tree.open().filter((path) => path.includes('root.1/form/turns'))).toEqual([]);
  },
);

test.each(['while the root is at work', 'while the root waits for it'])(
  'a message reaches the child that it names %s, and a warning says when there is none',
  (when) => {
    const tree = treeOf('ask');
    spawn(tree, 'root');
    if (when.includes('waits')) answerRoot(tree);
    tree.send({type: 'user.said', interaction: 'root.1', text: 'be brief'});
    expect(tree.reports('user.said')).toHaveLength(1);
    expect(tree.reports('warning')).toEqual([]);
    tree.send({type: 'user.said', interaction: 'nobody', text: 'be brief'});
    expect(tree.reports('user.said')).toHaveLength(1);
    expect(tree.reports('warning')).toHaveLength(1);
  },
);

/** The events that a part of an interaction received about its child, and the pending messages of the interaction. */
interface Received {
  readonly events: readonly string[];
  readonly pending: () => PendingMessages;
}

/** A tree whose root's form places the order, and gives up when its settings change. */
function treeWith(
  order: Partial<SpawnOrder>,
  depth = 0,
): {readonly tree: ByHand; readonly received: Received} {
  const events: string[] = [];
  let self: AnyActorRef | undefined;
  const orderer: AnyStateMachine = setup({
    actors: {spawnBelow},
    actions: {
      keepEvent: ({event}) => events.push(event.type),
      keepSelf: assign((args) => {
        ({self} = args);
        return {};
      }),
    },
  }).createMachine({
    context: {...openAsk({request: 'what?', workspace: '/w', settings: usualSettings})},
    entry: 'keepSelf',
    initial: 'waiting',
    on: {'child.*': {actions: 'keepEvent'}},
    states: {
      waiting: {
        invoke: {
          src: 'spawnBelow',
          id: 'child',
          input: {form: 'ask', request: 'what?', by: 'model', isAwaited: true, ...order},
        },
        on: {'settings.changed': 'givenUp'},
      },
      givenUp: {},
    },
  });
  const [interaction, root]: AnyStateMachine[] = [interactionMachine, treeMachine];
  const interactionForm = interaction?.provide({actors: {form: orderer}});
  const machine = root?.provide({actors: {interaction: interactionForm}}) ?? treeMachine;
  const tree = byHand(machine, treeInput('ask', usualSettings, {depth}), {isTree: true});
  const pending = () => (self ? messagesFor(self, 0) : {items: [], readCount: 0});
  return {tree, received: {events, pending}};
}

function answer(tree: ByHand): void {
  tree.settle('interaction:root.1/form/input', allow);
  tree.settle('interaction:root.1/form/turns/model', saying('so it is'));
  tree.settle('interaction:root.1/form/output', allow);
}

test('the start and the end of a child go to the actor that waits for it, and to nobody else', () => {
  const {tree, received} = treeWith({});
  answer(tree);
  expect(received.events).toEqual(['child.spawned', 'child.settled']);
  expect(received.pending()).toEqual({items: [], readCount: 0});
});

test('the result of a child that nobody waits for is a pending message, as a message of a person is', () => {
  const {tree, received} = treeWith({isAwaited: false});
  tree.send({type: 'user.said', text: 'be brief'});
  answer(tree);
  expect(received.events).toEqual(['child.spawned']);
  expect(received.pending()).toEqual({
    items: [
      {from: 'person', text: 'be brief'},
      {from: 'interaction', text: '[Ask Result]: so it is'},
    ],
    readCount: 2,
  });
});

test('a child that its actor no longer waits for is cancelled', () => {
  const {tree, received} = treeWith({});
  tree.send({type: 'settings.changed', settings: {}});
  expect(received.events).toEqual(['child.spawned']);
  expect(tree.reports('interaction.settled')).toMatchObject([
    {child: 'root.1', status: 'cancelled'},
  ]);
});

test('a child that nobody waited for continues when the actor that spawned it is gone', () => {
  const {tree} = treeWith({isAwaited: false});
  tree.send({type: 'settings.changed', settings: {}});
  expect(tree.open()).toEqual(['interaction/interaction:root.1/form/input']);
});

test('a refused spawn is reported to the actor that requested it', () => {
  const {tree, received} = treeWith({}, 3);
  expect(received.events).toEqual(['child.refused']);
  expect(tree.open()).toEqual([]);
});
