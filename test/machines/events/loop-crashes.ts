/** Crashes in a turn loop. */

import {actionReviewMachine} from '../../../machines/loop/action-review.ts';
import {toolCallMachine} from '../../../machines/loop/tool-call.ts';
import {turnLoopMachine} from '../../../machines/loop/turn-loop.ts';
import {modelCallMachine} from '../../../machines/model-call.ts';
import {withBug} from '../../support/buggy.ts';
import {valueIn} from '../laws-record.ts';
import {calling, callingAll, saying} from './outcomes.ts';
import {type Crash, quietly, withAnswers} from './quietly.ts';
import {turnLoops} from './turn-loop.ts';

const internal = {code: 'internal', message: 'a bug in a chart'};

/** A call that crashes ends like any other that failed. */
const inTurns: readonly Crash[] = [
  {transition: '[isTurnOpen]', paths: ['x', 'y'], input: {}, kind: 'answered'},
  {transition: '→ thinking', paths: ['x'], input: {}, kind: 'answered'},
  {
    transition: '[isDegraded] → degraded',
    paths: ['x'],
    input: {isDegradable: true},
    kind: 'degraded',
  },
  {transition: '[isSpent] → exhausted', paths: ['x'], input: {maxTurns: 1}, kind: 'exhausted'},
  {
    transition: '[isToReport] → reporting',
    paths: ['x'],
    input: {maxTurns: 1, reportsAtLimit: true},
    kind: 'exhausted',
  },
].map(({transition, paths, input, kind}) => ({
  name: `a tool call in a turn loop that is ${kind}`,
  at: ['xstate.init', 'xstate.done.actor.run'],
  transition: `turn-loop.acting xstate.error.actor.* ${transition}`,
  scenario: (bug) => ({
    ...withAnswers(quietly(turnLoops, 'may not', input), {
      act: (before) => [
        before === 0
          ? callingAll(...paths.map((path) => ['read_file', {path}] as const))
          : saying('done'),
      ],
    }),
    machine: turnLoopMachine.provide({actors: {toolCall: withBug(toolCallMachine, bug)}}),
  }),
  output: {
    kind,
    steps: paths.map(() => ({status: 'failed', failure: internal})),
    evidence: paths.map(() => ({ok: false})),
  },
}));

/** By the input or the context of a model call. */
function asksReport(holder: unknown): boolean {
  return [valueIn(holder, 'toolChoice'), valueIn(holder, 'request', 'toolChoice')].includes('none');
}

export const loopCrashes: readonly Crash[] = [
  ...inTurns,
  {
    name: 'the model call of a loop',
    at: ['xstate.init', 'xstate.done.actor.model'],
    transition: 'turn-loop.thinking xstate.error.actor.model → failed',
    scenario: (bug) => ({
      ...quietly(turnLoops, 'may not'),
      machine: turnLoopMachine.provide({actors: {modelCall: withBug(modelCallMachine, bug)}}),
    }),
    output: {kind: 'failed', failure: internal},
  },
  {
    name: 'the review of the calls of a turn',
    at: ['xstate.init', 'xstate.done.actor.preview'],
    transition: 'turn-loop.reviewing xstate.error.actor.review → acting',
    scenario: (bug) => ({
      ...quietly(turnLoops, 'several high-risk calls'),
      machine: turnLoopMachine.provide({actors: {actionReview: withBug(actionReviewMachine, bug)}}),
    }),
    output: {
      kind: 'answered',
      steps: [
        {status: 'succeeded'},
        {status: 'refused', failure: internal},
        {status: 'refused'},
        {status: 'refused', failure: internal},
      ],
    },
  },
  {
    name: 'the report of a loop',
    at: ['xstate.init', 'xstate.done.actor.model'],
    transition: 'turn-loop.reporting xstate.error.actor.model → failed',
    scenario: ({at}) => ({
      ...withAnswers(quietly(turnLoops, 'reports'), {act: [calling('read_file', {path: 'x'})]}),
      machine: turnLoopMachine.provide({
        actors: {modelCall: withBug(modelCallMachine, {at, isIn: asksReport})},
      }),
    }),
    output: {kind: 'failed', failure: internal, stopped: 'max_turns'},
  },
];
