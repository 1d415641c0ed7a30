/** Tool calls and turn loops to explore: every reply and every fault, calls that are approved, repeated or in doubt. */

import {fromCallback} from 'xstate';

import type {HumanDecision} from '../../../machines/domain/human.ts';
import type {HilMode} from '../../../machines/domain/settings.ts';
import type {ToolInfo} from '../../../machines/domain/tool.ts';
import {panelRules} from '../../../machines/loop/action.ts';
import {toolCallMachine} from '../../../machines/loop/tool-call.ts';
import {turnLoopMachine} from '../../../machines/loop/turn-loop.ts';
import type {TurnLoopInput} from '../../../machines/loop/turn.ts';
import type {PortName} from '../../../machines/ports.ts';
import type {ChildEvent} from '../../../machines/tree/children.ts';
import {crash, type OpenRequest} from '../../support/hand-performer.ts';
import type {Scenario, Played} from '../../support/played.ts';
import type {LawfulScenario} from '../explored.ts';
import {toolCallLaws} from '../laws-calls.ts';
import {requestsOf, unless, valueIn} from '../laws-record.ts';
import {turnLoopFaults} from '../laws-turns.ts';
import {
  type Answers,
  answering,
  failing,
  saying,
  ruling,
  broke,
  calling,
  callingAll,
  previewing,
  ran,
  refused,
  stumbled,
  given,
  validated,
} from './outcomes.ts';
import {
  callGround,
  policySeat,
  smallSettings,
  spawnAsk,
  usualSettings,
  readFile,
  runCommand,
  writeFile,
} from './settings.ts';

export const hilModes: readonly HilMode[] = ['interactive', 'auto_reject', 'auto_approve'];
export const decisions: readonly HumanDecision[] = [
  {decision: 'approve'},
  {decision: 'reject', reason: 'no'},
  {decision: 'edit', plan: {objective: 'another', reasoning: '', tasks: []}},
  {decision: 'retry'},
  {decision: 'done'},
  {decision: 'fail'},
  {decision: 'revise', reason: 'smaller'},
];

/** The decision that allows a command permanently. */
export const lasting: HumanDecision = {decision: 'always'};

const outcomes: Readonly<Partial<Record<PortName, readonly object[]>>> = {
  previewTool: [
    {kind: 'ready', args: validated, preview: '+y', basedOn: 'absent'},
    {kind: 'ready', args: validated, preview: '+y', protectedReason: 'it is under .git'},
    {kind: 'refused', code: 'outside', message: 'outside the workspace'},
    crash,
  ],
  screenProposal: [ruling('approve'), ruling('reject'), ruling('abstain')],
  askHuman: decisions,
  runTool: [
    {kind: 'succeeded', text: 'done'},
    {kind: 'failed', code: 'exit', message: 'it failed'},
    {kind: 'failed', code: 'busy', message: 'not now', retryable: true},
    {kind: 'refused', code: 'bad_args', message: 'no'},
    {kind: 'inDoubt', message: 'who knows'},
    {kind: 'cancelled', message: 'stopped'},
    crash,
  ],
};

export function toolCallScenario(
  tool: ToolInfo,
  hilMode: HilMode,
  rejections: number,
  {isOffered = true, isTimed = true, maxRetries = 1} = {},
): Scenario {
  const settings = smallSettings(hilMode, [policySeat]);
  return {
    machine: toolCallMachine,
    input: {
      call: {id: 'call-1', name: tool.name, args: given},
      tool: isOffered ? tool : undefined,
      offered: settings.tools.map(({name}) => name),
      ...callGround,
      panel: panelRules(settings),
      maxMessageBytes: 1_000,
      retries: {maxRetries, isForAnyFailure: false},
      ...(isTimed ? {timeLeftMs: 1_000} : {}),
    },
    hilMode,
    rejections,
    outcomes: ({port}) => outcomes[port] ?? [],
  };
}

/** The events that a call may receive about an interaction that it spawns. */
const children: readonly ChildEvent[] = [
  {type: 'child.spawned', id: 'root.1'},
  {type: 'child.refused', error: {code: 'maxDepthExceeded', message: 'too deep'}},
  ...(['completed', 'error'] as const).map((status) => ({
    type: 'child.settled' as const,
    id: 'root.1',
    result: {status, summary: 'so it ended'},
    text: '[Ask Result]: so it ended',
  })),
];

/** A call that spawns. It may receive every event about its interaction, at any time. */
export function spawningScenario(hilMode: HilMode, isAwaited: boolean): Scenario {
  const scenario = toolCallScenario(spawnAsk, hilMode, 0);
  const args = isAwaited ? validated : {...validated, wait: false};
  return {
    ...scenario,
    machine: toolCallMachine.provide({actors: {spawnBelow: fromCallback(() => {})}}),
    outcomes: (open, log) =>
      open.port === 'previewTool'
        ? [{kind: 'ready', args, preview: '+y'}]
        : scenario.outcomes(open, log),
    messages: children,
  };
}

export const loopInput: TurnLoopInput = {
  purpose: 'act',
  model: 'test/decider',
  system: '',
  message: 'do it',
  offered: ['read_file', 'write_file'],
  tools: usualSettings.tools,
  ...callGround,
  maxOutputTokens: usualSettings.maxOutputTokens,
  maxTurns: 2,
  maxRefusedTurns: 1,
  maxMessageBytes: 1_000,
  retries: {maxRetries: 1, isForAnyFailure: false},
  isWithheld: false,
  isDegradable: false,
};

const read = calling('read_file', {path: 'x'});
const write = calling('write_file', {path: 'x'});
const broken = {
  kind: 'ok',
  text: 'hm',
  calls: [{id: 'call-0', name: 'read_file', args: {}, problem: 'no JSON'}],
};

function isLaterTurn({port, request}: OpenRequest): boolean {
  return port === 'callModel' && request.transcript.messages.some(({role}) => role === 'tool');
}

function isReport({port, request}: OpenRequest): boolean {
  return port === 'callModel' && request.toolChoice === 'none';
}

interface LoopScenario {
  readonly name: string;
  readonly input?: Partial<TurnLoopInput>;
  readonly isWhole?: true;
  readonly answers: Answers;
}

const scenarios: readonly LoopScenario[] = [
  {
    name: 'whose model fails in every way',
    answers: {
      act: (before, open) =>
        isLaterTurn(open)
          ? [saying('done'), failing('truncated'), failing('contextOverflow')]
          : [
              saying('done'),
              read,
              failing('truncated'),
              failing('contextOverflow'),
              ...(before < 5 ? [failing('network')] : []),
              failing('refused'),
              crash,
            ],
      runTool: [{...ran, text: 'x'.repeat(10_000)}],
      awaitResume: [{resumed: true}, crash],
    },
  },
  {
    name: 'whose model is down for a while',
    answers: {
      act: (before) => [saying('done'), ...(before < 5 ? [failing('network')] : [])],
      awaitResume: [{resumed: true}, crash],
    },
  },
  {
    name: 'whose model makes several calls at once',
    answers: {
      act: (_, open) =>
        isLaterTurn(open)
          ? [saying('done'), write]
          : [
              callingAll(
                ['read_file', {path: 'x'}],
                ['read_file', {path: 'y'}],
                ['write_file', {path: 'x'}],
                ['read_file', {path: 'z'}],
              ),
            ],
      previewTool: (_, open) => previewing(open),
      'review-action': [ruling('approve'), ruling('reject')],
      runTool: [ran, broke],
    },
  },
  {
    name: 'whose model makes several high-risk calls at once',
    input: {
      panel: panelRules({...usualSettings, quorum: {...usualSettings.quorum, perTurn: true}}),
    },
    answers: {
      act: (_, open) =>
        isLaterTurn(open)
          ? [saying('done')]
          : [
              callingAll(
                ['read_file', {path: 'x'}],
                ['write_file', {path: 'x'}],
                ['fly', {}],
                ['write_file', {path: 'y'}],
              ),
            ],
      previewTool: (_, open) => [...previewing(open), ...previewing(open, {basedOn: 'b'})],
      'review-action': [ruling('approve'), ruling('reject')],
      runTool: [ran, broke],
    },
  },
  {
    name: 'whose model makes calls that it may not make',
    input: {maxTurns: 3},
    answers: {
      act: [
        saying('done'),
        broken,
        calling('run_command', {command: 'x'}),
        calling('fly', {}),
        read,
      ],
      runTool: [ran, refused],
    },
  },
  {
    name: 'whose model repeats itself',
    isWhole: true,
    input: {maxTurns: 5},
    answers: {
      act: [saying('done'), read, callingAll(['read_file', {path: 'x'}], ['fly', {}])],
      runTool: [ran],
    },
  },
  {
    name: 'that degrades when a tool fails for good',
    input: {isDegradable: true, retries: {maxRetries: 1, isForAnyFailure: true}},
    answers: {
      act: [saying('done'), callingAll(['read_file', {path: 'x'}], ['read_file', {path: 'y'}])],
      runTool: [ran, broke, refused],
    },
  },
  {
    name: 'that reports when its turns are used up',
    input: {maxTurns: 1, reportsAtLimit: true},
    answers: {
      act: (before, open) =>
        isReport(open)
          ? [
              saying('x is left'),
              failing('truncated'),
              failing('contextOverflow'),
              ...(before < 4 ? [failing('auth')] : []),
              crash,
            ]
          : [saying('done'), read],
      runTool: [{...ran, text: 'x'.repeat(10_000)}],
      awaitResume: [{resumed: true}, crash],
    },
  },
  {
    name: 'that runs out of time',
    input: {timeLimitMs: 2},
    answers: {
      act: (before) => [saying('done'), read, ...(before === 0 ? [write, failing('network')] : [])],
      previewTool: (_, open) => previewing(open),
      'review-action': [ruling('approve')],
      runTool: [ran, stumbled],
    },
  },
];

export const turnLoops: readonly LawfulScenario[] = scenarios.map(
  ({name, input: more, isWhole, answers}) => {
    const input = {...loopInput, ...more};
    return {
      name,
      scenario: {
        machine: turnLoopMachine,
        input,
        outcomes: answering(answers),
        mayFire: (timer) => !timer.includes('deadline'),
        ...(isWhole ? {isWhole} : {}),
      },
      law: (played) => turnLoopFaults(played, input),
    };
  },
);

const modes = hilModes.flatMap((mode) =>
  [0, 2].map((rejections) => [writeFile, mode, rejections] as const),
);
export const calls = [
  ...modes,
  [runCommand, 'interactive', 0] as const,
  [runCommand, 'auto_approve', 0] as const,
  [readFile, 'interactive', 0] as const,
].map(([tool, mode, rejections]): LawfulScenario => ({
  name: `${tool.name} in mode ${mode} after ${rejections} rejections`,
  scenario: toolCallScenario(tool, mode, rejections),
  law: toolCallLaws(tool, mode),
}));

export const untimed = [writeFile, readFile].map((tool): LawfulScenario => ({
  name: `${tool.name} without a time limit`,
  scenario: toolCallScenario(tool, 'interactive', 0, {isTimed: false}),
  law: toolCallLaws(tool, 'interactive'),
}));

export const unoffered: LawfulScenario = {
  name: 'a tool that is not offered',
  scenario: toolCallScenario(readFile, 'interactive', 0, {isOffered: false}),
  law: (played) => [
    ...unless(requestsOf(played.log, 'runTool').length === 0, 'it runs'),
    ...unless(valueIn(played.output(), 'result', 'status') === 'refused', 'it is not refused'),
  ],
};

/** A review may decide on a call before its actor starts. */
export const decided = [
  {kind: 'rejected', reasons: ['it is not needed']},
  {kind: 'refused', failure: {code: 'void', message: 'a call before it failed'}},
].map((review): LawfulScenario => {
  const scenario = toolCallScenario(writeFile, 'interactive', 0);
  return {
    name: `a call that the review of its turn has ${review.kind}`,
    scenario: {...scenario, input: Object.assign({}, scenario.input, {decided: review})},
    law: (played) => [
      ...unless(requestsOf(played.log, 'runTool').length === 0, 'it runs'),
      ...unless(valueIn(played.output(), 'result', 'status') === review.kind, 'it has another end'),
    ],
  };
});

const onlySpawns = 'a call that only spawns leaves tool and lock alone';

export const spawning = hilModes.map((mode): LawfulScenario => ({
  name: `that spawns in mode ${mode}`,
  scenario: spawningScenario(mode, true),
  law: {...toolCallLaws(spawnAsk, mode), [onlySpawns]: touchedIn},
}));

export const leftAlone: LawfulScenario = {
  name: 'that spawns and does not wait',
  scenario: spawningScenario('interactive', false),
  law: {[onlySpawns]: touchedIn},
};

function touchedIn({log}: Played): string[] {
  return log.flatMap((each) =>
    each.type === 'requested' && ['runTool', 'lockWorkspace'].includes(each.port)
      ? [`${each.port} is requested`]
      : [],
  );
}
