/** Checks of claims to explore: answers with and without claims, corrections that help and that do not. */

import {claimCheckMachine} from '../../../machines/forms/claim-check.ts';
import {crash} from '../../support/hand-performer.ts';
import type {LawfulScenario} from '../explored.ts';
import {outputOf, requestsOf, settlementsOf, unless, valueIn} from '../laws-record.ts';
import {answering} from './answers.ts';
import {failing, ruling, saying} from './outcomes.ts';

export const checkInput = {
  purpose: 'ask',
  question: 'what is it?',
  answer: 'The port is 8080. All tests pass.',
  workspace: '/w',
  evidence: [],
  sources: [],
  model: 'test/model',
  maxOutputTokens: 1000,
} as const;

const law: LawfulScenario['law'] = {
  'an answer that the last vote contradicted is cut': ({log, ...played}) => {
    if (played.status() !== 'done') return [];
    const vote = settlementsOf(log, 'screenProposal').at(-1)?.outcome;
    const isLost = valueIn(vote, 'ballots', '0', 'verdict') === 'reject';
    const isCut = valueIn(outputOf({log, ...played}), 'isCut') === true;
    return unless(isCut || !isLost, 'a contradicted answer is kept');
  },
  'a correction is requested once': ({log}) => {
    const questions = requestsOf(log, 'callModel').length;
    const pauses = log.filter(({type}) => type === 'fired').length;
    return unless(questions <= 1 + pauses, `${questions} questions`);
  },
};

export const claimChecks: readonly LawfulScenario[] = [
  {
    name: 'of an answer with a claim',
    scenario: {
      machine: claimCheckMachine,
      input: checkInput,
      outcomes: answering({
        ask: [saying('The port is 8080.'), saying(''), failing('auth'), crash],
        'review-result': [ruling('approve'), ruling('reject'), ruling('abstain'), crash],
      }),
    },
    law,
  },
];
