import {expect, test} from 'vitest';
import {type AnyActorRef, type AnyStateMachine, createMachine} from 'xstate';

import {ActorTree, type ActorTreeOptions} from '../../actors/engine/actor-tree.ts';
import {crashOutcome, type Incoming} from '../../actors/engine/incoming.ts';
import {asJson} from '../../machines/domain/json.ts';
import {toolCallMachine} from '../../machines/loop/tool-call.ts';
import {modelCallMachine} from '../../machines/model-call.ts';
import {ports} from '../../machines/port-natures.ts';
import {openTranscript} from '../../machines/prompts/transcript.ts';
import {broke, failing, inDoubt, ran, refused, saying, stumbled} from './events/outcomes.ts';
import {callGround, readFile, writeFile} from './events/settings.ts';

const crash = crashOutcome({code: 'internal', message: 'a bug'});

const modelInput = {
  purpose: 'act',
  model: 'test/model',
  system: '',
  transcript: openTranscript('hello'),
  tools: [],
  toolChoice: 'auto',
  maxOutputTokens: 100,
};

const toolInput = {
  call: {id: 'call-1', name: readFile.name, args: {path: './x'}},
  tool: readFile,
  offered: [readFile.name],
  ...callGround,
  maxMessageBytes: 1_000,
  retries: {maxRetries: 1, isForAnyFailure: false},
};

const unknownTool = {...toolInput, tool: undefined};
const highRisk = {...toolInput, call: {...toolInput.call, name: writeFile.name}, tool: writeFile};
const timed = {...toolInput, timeLeftMs: 60_000};

type Row = readonly [string, AnyStateMachine, object, readonly (object | 'timer' | 'stop')[]];

const rows: readonly Row[] = [
  ['a reply', modelCallMachine, modelInput, [saying('hello')]],
  ['a passing fault', modelCallMachine, modelInput, [failing('rateLimited'), 'timer', saying('x')]],
  ['a lasting fault', modelCallMachine, modelInput, [failing('auth')]],
  ['an outage', modelCallMachine, {...modelInput, waits: true}, [failing('auth'), {resumed: true}]],
  [
    'a reply that was cut off',
    modelCallMachine,
    modelInput,
    [{...failing('truncated'), nextOutputTokens: 200}, saying('long')],
  ],
  ['a bug of the model', modelCallMachine, modelInput, [crash]],
  ['a stop', modelCallMachine, modelInput, ['stop']],
  ['a success', toolCallMachine, toolInput, [ran]],
  ['a failure', toolCallMachine, toolInput, [broke]],
  ['a retry', toolCallMachine, toolInput, [stumbled, 'timer', ran]],
  ['a refusal', toolCallMachine, toolInput, [refused]],
  ['a doubt', toolCallMachine, toolInput, [inDoubt]],
  ['a bug of the tool', toolCallMachine, toolInput, [crash]],
  ['an unknown tool', toolCallMachine, unknownTool, []],
  ['a high risk', toolCallMachine, highRisk, []],
  ['a time limit', toolCallMachine, timed, ['timer']],
];

/** A call as the child of another chart. */
function openedTree(
  logic: AnyStateMachine,
  input: object,
  more: Pick<ActorTreeOptions, 'takesUsualWay'> & Partial<ActorTreeOptions>,
): ActorTree {
  const parent = createMachine({
    initial: 'idle',
    states: {
      idle: {on: {begin: 'busy'}},
      busy: {
        invoke: {src: logic, id: 'call', input, onDone: 'over', onError: 'crashed'},
        on: {stop: 'stopped'},
      },
      over: {type: 'final', output: ({event}: {event: {output?: unknown}}) => event.output},
      crashed: {},
      stopped: {},
    },
    output: ({event}: {event: {output?: unknown}}) => event.output,
  });
  const tree = new ActorTree({logic: parent, ports, onReport: () => {}, ...more});
  tree.deliver({kind: 'opened', input: {}, version: ''}, 1);
  tree.deliver({kind: 'received', event: {type: 'begin'}}, 1);
  return tree;
}

/** What a journal and its readers see after each delivery. */
function trailOf([, logic, input, outcomes]: Row, takesUsualWay: boolean) {
  const reports: object[] = [];
  const onReport = (reported: object): void => void reports.push(reported);
  const tree = openedTree(logic, input, {takesUsualWay, onReport});
  const call: AnyActorRef | undefined = tree.root?.getSnapshot().children['call'];
  const seen = () => ({
    digest: tree.trail.digest,
    atWork: tree.atWork(),
    requests: tree.effects.open.map(({request}) => request),
    call: shownOf(call),
    parent: shownOf(tree.root),
    reports: [...reports],
  });
  const trail = [seen()];
  for (const [index, outcome] of outcomes.entries()) {
    tree.deliver(incoming(tree, outcome), index + 2);
    trail.push(seen());
  }
  return trail;
}

function incoming(tree: ActorTree, outcome: Row[3][number]): Incoming {
  const [effect] = tree.effects.open;
  const [timer = 0] = tree.clock.numbers;
  if (outcome === 'stop') return {kind: 'received', event: {type: 'stop'}};
  if (outcome === 'timer' || !effect) return {kind: 'fired', timer};
  return {kind: 'settled', effect, outcome: asJson(outcome), ms: 3};
}

function shownOf(actor: AnyActorRef | undefined): object {
  const {status, value, context, output, error, tags} = actor?.getSnapshot() ?? {};
  return {status, value, context, output, error, tags};
}

test.each(rows)('the usual way leaves the same trail as the chart: %s', (...row) => {
  expect(trailOf(row, true)).toEqual(trailOf(row, false));
});

test('a usual call has no actor but its own, and a call for readers has one for its request', () => {
  const actors = [true, false].map((takesUsualWay) =>
    openedTree(toolCallMachine, toolInput, {takesUsualWay}).effects.open.map(({key, actor}) => [
      key,
      actor.id,
    ]),
  );
  expect(actors).toEqual([[['i/call/run#1', 'call']], [['i/call/run#1', 'run']]]);
});
