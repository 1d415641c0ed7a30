/** Questions to explore: guardrails that block, tools that fail, models that repeat themselves or say nothing. */

import type {AnyEventObject} from 'xstate';

import type {Settings} from '../../../machines/domain/settings.ts';
import {askMachine} from '../../../machines/forms/ask/ask.ts';
import {crash, type OpenRequest} from '../../support/hand-performer.ts';
import type {LawfulScenario} from '../explored.ts';
import {askFaults} from '../laws-ask.ts';
import {type Answers, answering} from './answers.ts';
import {allow, broke, calling, failing, ran, refused, saying} from './outcomes.ts';
import {policySeat, smallSettings} from './settings.ts';

const settings = smallSettings('interactive', [policySeat]);
export const question = {request: 'what is it?', workspace: '/w', settings};

const warn = {action: 'warn', reason: 'it is long', details: {}};
const block = {action: 'block', reason: 'it is forbidden', details: {}};
const read = calling('read_file', {path: 'x'});

function isDirect({port, request}: OpenRequest): boolean {
  return port === 'callModel' && request.toolChoice === 'none';
}

interface Asked {
  readonly name: string;
  readonly answers: Answers;
  readonly message?: AnyEventObject;
}

const scenarios: readonly Asked[] = [
  {
    name: 'whose tools and models may fail',
    answers: {
      checkText: [allow],
      ask: (_, open) =>
        isDirect(open)
          ? [saying('perhaps'), saying(''), failing('auth')]
          : [
              saying('so it is'),
              saying(''),
              read,
              calling('write_file', {path: 'x'}),
              failing('auth'),
              failing('refused'),
            ],
      runTool: [ran, broke, refused],
    },
  },
  {
    name: 'that guardrails may block',
    answers: {
      checkText: [allow, warn, block, crash],
      ask: (_, open) => (isDirect(open) ? [saying('perhaps')] : [saying('so it is'), read]),
      runTool: [broke],
    },
  },
  {
    name: 'that a person may cancel at every moment',
    answers: {
      checkText: [allow],
      ask: (_, open) => (isDirect(open) ? [saying('perhaps')] : [saying('so it is'), read]),
      runTool: [ran, broke],
    },
    message: {type: 'user.cancel'},
  },
  {
    name: 'whose settings a person may change at every moment',
    answers: {checkText: [allow], ask: [saying('so it is'), read], runTool: [ran]},
    message: {type: 'settings.changed', settings: {ask: {maxSteps: settings.ask.maxSteps}}},
  },
  {
    name: 'that a limit holds up',
    answers: {
      checkText: [allow],
      ask: (_, open) => (isDirect(open) ? [failing('overBudget'), saying('perhaps')] : [read]),
      runTool: [ran, broke],
      awaitResume: [{resumed: true}, crash],
    },
  },
];

const surveyed = {
  name: 'about a folder that is surveyed first',
  answers: {
    checkText: [allow],
    surveyWorkspace: [
      {text: 'README.md', read: [], files: 1, sources: [], machine: {facts: ['System: x']}},
      crash,
    ],
    runTool: [ran],
    ask: (_: number, open: OpenRequest) =>
      isDirect(open) ? [saying('perhaps')] : [saying('so it is'), read],
  },
};

export const asks: readonly LawfulScenario[] = [
  ...scenarios.map((asked) => lawfulAsk(asked, settings)),
  lawfulAsk(surveyed, smallSettings('interactive', [policySeat], {gathering: 'auto'})),
];

export function lawfulAsk({name, answers, message}: Asked, by: Settings): LawfulScenario {
  return {
    name,
    scenario: {
      machine: askMachine,
      input: {...question, settings: by},
      outcomes: answering(answers),
      messages: message ? [message] : [],
    },
    law: (played) => askFaults(played, 'subject', by.ask.maxSteps),
  };
}
