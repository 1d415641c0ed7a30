/** Turn loops to explore: models that fail, repeat themselves, call tools that are not offered, or several tools at once. */

import {panelRules} from '../../../machines/loop/action.ts';
import type {TurnLoopInput} from '../../../machines/loop/loop-input.ts';
import {turnLoopMachine} from '../../../machines/loop/turn-loop.ts';
import {crash, type OpenRequest} from '../../support/hand-performer.ts';
import type {LawfulScenario} from '../explored.ts';
import {turnLoopFaults} from '../laws-turns.ts';
import {type Answers, answering} from './answers.ts';
import {
  broke,
  calling,
  callingAll,
  failing,
  previewing,
  ran,
  refused,
  ruling,
  saying,
  stumbled,
} from './outcomes.ts';
import {policySeat, smallSettings} from './settings.ts';

const settings = smallSettings('interactive', [policySeat]);

export const loopInput: TurnLoopInput = {
  purpose: 'act',
  model: 'test/decider',
  system: '',
  message: 'do it',
  offered: ['read_file', 'write_file'],
  tools: settings.tools,
  panel: panelRules(settings),
  maxOutputTokens: settings.maxOutputTokens,
  maxTurns: 2,
  maxRefusedTurns: 1,
  maxMessageBytes: 1_000,
  retries: {maxRetries: 1, isForAnyFailure: false},
  isWithheld: false,
  isDegradable: false,
  brief: {request: 'do it', workspace: '/w', evidence: [], purpose: 'to get it done'},
  background: [],
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
    input: {panel: panelRules({...settings, quorum: {...settings.quorum, perTurn: true}})},
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
    input: {
      isDegradable: true,
      retries: {maxRetries: 1, isForAnyFailure: true},
    },
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
