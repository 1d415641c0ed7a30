/** Reviews of diffs to explore: parts that are voted on side by side, and one after the other. */

import type {AnyEventObject} from 'xstate';

import type {FileDiff} from '../../../machines/domain/patch.ts';
import type {Seat} from '../../../machines/domain/review.ts';
import {reviewMachine} from '../../../machines/forms/review/review.ts';
import {crash} from '../../support/hand-performer.ts';
import type {Played} from '../../support/played.ts';
import type {LawfulScenario} from '../explored.ts';
import {stopFaults} from '../laws-agent.ts';
import {listIn, outputOf, settlementsOf, unless, valueIn} from '../laws-record.ts';
import {type Answers, answering} from './answers.ts';
import {failing, ruling, voting} from './outcomes.ts';
import {modelSeat, policySeat, smallSettings} from './settings.ts';

/** A file with so many lines of 100 characters, all of them new. */
export function newFile(path: string, lines: number): FileDiff {
  const text = `+${'x'.repeat(100)}`;
  const hunk = {oldStart: 0, newStart: 1, lines: Array.from({length: lines}, () => text)};
  return {path, did: 'added', hunks: [hunk]};
}

/** Each is a part for models. */
export function largeFiles(count: number): FileDiff[] {
  return Array.from({length: count}, (_, index) => newFile(`f${index + 1}.ts`, 250));
}

export function reviewInput(diff: readonly FileDiff[], panel: readonly Seat[]) {
  const settings = smallSettings('interactive', panel);
  return {request: 'look at it', workspace: '/w', settings, diff};
}

/** The verdict follows from the votes on its parts, and nothing is approved that was not voted on. */
function reviewFaults(played: Played): string[] {
  const {log} = played;
  if (played.status() !== 'done') return [];
  const output = outputOf(played);
  const status = valueIn(output, 'status');
  const verdicts = listIn(output, 'reviews').map((round) => valueIn(round, 'verdict'));
  const isAll = valueIn(output, 'review', 'approved') === true;
  const asked =
    settlementsOf(log, 'screenProposal').length + settlementsOf(log, 'callModel').length;
  return [
    ...unless(
      status !== 'completed' || verdicts.every((verdict) => verdict === 'approved'),
      `it is approved with ${verdicts.join()}`,
    ),
    ...unless(isAll === (status === 'completed'), 'what is told differs from the status'),
    ...unless(
      status !== 'rejected' || verdicts.includes('rejected'),
      'it is rejected, and no part is',
    ),
    ...unless(
      status !== 'completed' || asked > 0,
      'it is approved though nobody has said anything',
    ),
    ...stopFaults(played),
  ];
}

const scenarios: readonly {
  readonly name: string;
  readonly diff: readonly FileDiff[];
  readonly panel: readonly Seat[];
  readonly answers?: Answers;
  readonly message?: AnyEventObject;
}[] = [
  {
    name: 'of one part that a reviewer may say anything about',
    diff: [newFile('a.ts', 1)],
    panel: [modelSeat('test/a')],
    answers: {
      'review-diff': [voting('approve'), voting('reject'), voting('abstain'), failing('auth')],
      awaitResume: [{resumed: true}, crash],
    },
  },
  {
    name: 'of two parts that may each be rejected, or cancelled',
    diff: largeFiles(2),
    panel: [modelSeat('test/a')],
    answers: {'review-diff': [voting('approve'), voting('reject')]},
    message: {type: 'user.cancel'},
  },
  {
    name: 'whose settings a person may change at every moment',
    diff: [newFile('a.ts', 1)],
    panel: [policySeat],
    answers: {'review-diff': [ruling('approve'), ruling('reject')]},
    message: {type: 'settings.changed', settings: {quorum: {rule: 'unanimous'}}},
  },
];

export const reviews: readonly LawfulScenario[] = scenarios.map(
  ({name, diff, panel, answers = {}, message}) => ({
    name,
    scenario: {
      machine: reviewMachine,
      input: reviewInput(diff, panel),
      outcomes: answering(answers),
      messages: message ? [message] : [],
      // The deadlines of parts side by side multiply: one part has them all.
      mayFire: () => diff.length === 1,
    },
    law: reviewFaults,
  }),
);
