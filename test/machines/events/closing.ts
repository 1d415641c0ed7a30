/** Closings to explore: models that answer, claim, ramble, say nothing or fail, and rules that contradict them. */

import {closingMachine} from '../../../machines/forms/agent/closing/closing.ts';
import {crash} from '../../support/hand-performer.ts';
import type {LawfulScenario} from '../explored.ts';
import {outputOf, settlementsOf, unless, valueIn} from '../laws-record.ts';
import {answering} from './answers.ts';
import {planOf} from './execution.ts';
import {failing, ruling, saying} from './outcomes.ts';

export const closingInput = {
  request: 'do it',
  pendingMessages: [],
  runs: [{plan: planOf('plan', [{id: 'a', description: 'write'}]), results: []}],
  workspace: '/w',
  model: 'test/decider',
  maxOutputTokens: 1000,
  maxResults: 9000,
};

const report = 'All tests pass, I ran them.';

const law: LawfulScenario['law'] = {
  'an answer is the report, or the text of the model, and no rule has contradicted it': (
    played,
  ) => {
    if (played.status() !== 'done') return [];
    const answer = valueIn(outputOf(played), 'answer');
    const replies = settlementsOf(played.log, 'callModel').map(({outcome}) => outcome);
    const checks = settlementsOf(played.log, 'screenProposal').filter(
      ({request}) => valueIn(request, 'proposal', 'facts', 'claims', '0') === answer,
    );
    const vote = checks.at(-1)?.outcome;
    const isFalse = valueIn(vote, 'ballots', '0', 'verdict') === 'reject' || valueIn(vote, 'crash');
    const isSaid = answer === report || replies.some((reply) => valueIn(reply, 'text') === answer);
    return unless(answer === '' || (isSaid && isFalse !== true), `it answers ${String(answer)}`);
  },
};

export const closings: readonly LawfulScenario[] = [
  {
    name: 'of a model that may say anything',
    scenario: {
      machine: closingMachine,
      input: closingInput,
      outcomes: answering({
        close: [
          saying('It is done.'),
          saying('All tests pass.'),
          saying('x'.repeat(2_000)),
          saying(' '),
          failing('auth'),
          failing('network'),
          crash,
        ],
        'review-result': [ruling('approve'), ruling('reject'), ruling('abstain'), crash],
      }),
    },
    law,
  },
  {
    name: 'of a worker that may claim anything',
    scenario: {
      machine: closingMachine,
      input: {...closingInput, report},
      outcomes: answering({
        close: [saying('It is done.'), saying('Nothing was tested.')],
        'review-result': [ruling('approve'), ruling('reject'), crash],
      }),
    },
    law,
  },
];
