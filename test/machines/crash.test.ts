/** A child whose chart throws, which is a bug, is a failure for its parent: never silence, never an approval. */

import {describe, expect, test} from 'vitest';

import {
  executionMachine,
  pollMachine,
  questionMachine,
  quorumMachine,
  taskMachine,
  toolCallMachine,
  turnLoopMachine,
} from '../../machines/index.ts';
import {withBug} from '../support/buggy.ts';
import {type Coverage, noting} from '../support/coverage.ts';
import {type Scenario, play, type Played} from '../support/played.ts';
import {failOnWarnings} from '../support/warnings.ts';
import {turnLoops} from './events/calls.ts';
import {crashes} from './events/crashes.ts';
import {executions} from './events/execution.ts';
import {answering, quietly, callingAll, ran, saying, voting} from './events/outcomes.ts';
import {panelScenarios} from './events/quorum.ts';
import {requestsOf, valueIn} from './laws-record.ts';

/** A message to an actor that has crashed is not the fault of a chart. */
failOnWarnings((text) => text.includes('was sent to stopped actor'));

/** Takes the first move repeatedly, until there is none. */
function runOut(scenario: Scenario, coverage: Coverage = {entered: new Set(), taken: new Set()}) {
  const played = play(scenario, noting(coverage));
  for (let [move] = played.moves(); move; [move] = played.moves()) played.apply(move);
  return played;
}

describe.each(crashes)('when $name crashes', ({at: events, transition, scenario, output}) => {
  test.each(events)('at %s, the parent takes it as a failure', (at) => {
    const coverage: Coverage = {entered: new Set(), taken: new Set()};
    const played = runOut(scenario(at), coverage);
    expect(played.status()).toBe('done');
    expect(played.output()).toMatchObject(output);
    expect(coverage.taken).toContain(transition);
  });
});

function isFirstSeat(holder: unknown): boolean {
  const model = valueIn(holder, 'model') ?? valueIn(holder, 'input', 'model');
  return model === 'test/plain-a';
}

function isFirstCall(holder: unknown): boolean {
  const input = valueIn(holder, 'input') ?? holder;
  return valueIn(input, 'call', 'id') === 'call-0';
}

function isFirstTask(holder: unknown): boolean {
  return valueIn(holder, 'task', 'id') === 'a';
}

describe('when one of three reviewers crashes', () => {
  const outcomes = ['xstate.init', 'xstate.done.actor.call'].flatMap((at) =>
    [
      {second: 'approve', third: 'approve', verdict: 'approved'},
      {second: 'approve', third: 'reject', verdict: 'rejected'},
      {second: 'reject', third: 'approve', verdict: 'rejected'},
      {second: 'reject', third: 'reject', verdict: 'rejected'},
    ].map((votes) => Object.assign(votes, {at})),
  );
  test.each(outcomes)(
    'at $at, the others vote $second and $third, and it is $verdict',
    ({at, second, third, verdict}) => {
      const words: Readonly<Record<string, string>> = {a: 'approve', b: second, c: third};
      const played = runOut({
        ...quietly(panelScenarios, 'three equal'),
        outcomes: ({path}) => [voting(words[/plain-(.)/.exec(path)?.[1] ?? ''] ?? '')],
        machine: quorumMachine.provide({
          actors: {
            poll: pollMachine.provide({
              actors: {question: withBug(questionMachine, {at, isIn: isFirstSeat})},
            }),
          },
        }),
      });
      expect(played.output()).toMatchObject({
        verdict,
        votes: [
          {model: 'test/plain-a', verdict: 'abstain', abstainedBecause: 'a bug in a chart'},
          {model: 'test/plain-b', verdict: second},
          {model: 'test/plain-c', verdict: third},
        ],
      });
    },
  );
});

describe.each(['xstate.init', 'xstate.done.actor.run'])(
  'when one of two calls crashes at %s',
  (at) => {
    test('its model reads that it failed, and continues', () => {
      const played = runOut({
        ...quietly(turnLoops, 'several calls'),
        outcomes: answering({
          act: (before) => [
            before === 0
              ? callingAll(['read_file', {path: 'x'}], ['read_file', {path: 'y'}])
              : saying('so be it'),
          ],
          runTool: [ran],
        }),
        machine: turnLoopMachine.provide({
          actors: {toolCall: withBug(toolCallMachine, {at, isIn: isFirstCall})},
        }),
      });
      const messages = requestsOf(played.log, 'callModel').at(-1)?.request.transcript.messages;
      expect(messages?.slice(-2)).toMatchObject([
        {role: 'tool', callId: 'call-0', text: 'a bug in a chart', isError: true},
        {role: 'tool', callId: 'call-1', text: 'done', isError: false},
      ]);
      expect(played.output()).toMatchObject({
        kind: 'answered',
        steps: [{status: 'failed'}, {status: 'succeeded'}],
        evidence: [
          {tool: 'read_file', ok: false},
          {tool: 'read_file', ok: true},
        ],
      });
    });
  },
);

describe.each(['xstate.init', 'xstate.done.actor.call'])('when one task crashes at %s', (at) => {
  test('the tasks that depend on it are skipped, and the others run', () => {
    const played = runOut({
      ...quietly(executions, 'depend on each other'),
      machine: executionMachine.provide({
        actors: {task: withBug(taskMachine, {at, isIn: isFirstTask})},
      }),
    });
    expect(statusesIn(played)).toEqual({
      a: 'failed',
      b: 'succeeded',
      c: 'skipped',
      d: 'skipped',
      e: 'skipped',
    });
  });
});

test('the lock is free again when its holder has crashed', () => {
  const toolCall = withBug(toolCallMachine, {
    at: 'xstate.done.actor.run',
    isIn: (holder) => valueIn(holder, 'task') === 'a',
  });
  const played = runOut({
    ...quietly(executions, 'three risky'),
    machine: executionMachine.provide({actors: {task: taskMachine.provide({actors: {toolCall}})}}),
  });
  expect(played.status()).toBe('done');
});

function statusesIn(played: Played): object {
  const results = valueIn(played.output(), 'results');
  return Object.fromEntries(
    (Array.isArray(results) ? results : []).map((result) => [
      valueIn(result, 'id'),
      valueIn(result, 'status'),
    ]),
  );
}
