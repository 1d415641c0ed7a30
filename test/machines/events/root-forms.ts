/** Forms that only a root runs, to explore: commands of a person, and reviews of diffs. */

import type {AnyEventObject} from 'xstate';

import type {FileDiff} from '../../../machines/domain/patch.ts';
import type {Seat} from '../../../machines/domain/review.ts';
import {commandMachine} from '../../../machines/forms/command/command.ts';
import {reviewMachine} from '../../../machines/forms/review/review.ts';
import {crash} from '../../support/hand-performer.ts';
import type {Played} from '../../support/played.ts';
import type {LawfulScenario} from '../explored.ts';
import {stopFaults} from '../laws-agent.ts';
import {outputOf, settlementsOf, unless, valueIn, listIn} from '../laws-record.ts';
import {answering, type Answers} from './answers.ts';
import {failing, ruling, voting} from './outcomes.ts';
import {policySeat, runCommand, smallSettings, modelSeat} from './settings.ts';

const line = 'npm test';
const ready = {kind: 'ready', args: {command: line}, preview: `$ ${line}`};

export function commandInput() {
  const settings = {...smallSettings('interactive', [policySeat]), tools: [runCommand]};
  return {request: line, workspace: '/w', settings};
}

/** Nobody votes, and the form completes only after the tool or a person has answered. */
function commandFaults(played: Played): string[] {
  const {log} = played;
  const asked =
    settlementsOf(log, 'screenProposal').length + settlementsOf(log, 'callModel').length;
  if (played.status() !== 'done') return unless(asked === 0, 'somebody voted on it');
  const isCompleted = valueIn(outputOf(played), 'status') === 'completed';
  const answers = [...settlementsOf(log, 'runTool'), ...settlementsOf(log, 'askHuman')];
  return [
    ...unless(asked === 0, 'somebody voted on it'),
    ...unless(!isCompleted || answers.length > 0, 'it is completed though nothing was run'),
    ...stopFaults(played),
  ];
}

export const commands: readonly LawfulScenario[] = [
  {
    name: 'with every outcome',
    scenario: {
      machine: commandMachine,
      input: commandInput(),
      outcomes: answering({
        previewTool: [ready, {kind: 'refused', code: 'outside', message: 'outside'}, crash],
        runTool: [
          {kind: 'succeeded', text: 'fine', exitCode: 0},
          {kind: 'failed', code: 'exit', message: 'exited with code 1', exitCode: 1},
          {kind: 'inDoubt', message: 'who knows'},
          crash,
        ],
        'ask-in-doubt': [{decision: 'done'}, {decision: 'fail'}],
      }),
      messages: [{type: 'user.cancel'}],
    },
    law: commandFaults,
  },
];

/** A new file with lines of 100 characters. */
export function newFile(path: string, lines: number): FileDiff {
  const text = `+${'x'.repeat(100)}`;
  const hunk = {oldStart: 0, newStart: 1, lines: Array.from({length: lines}, () => text)};
  return {path, did: 'added', hunks: [hunk]};
}

/** Files each of which is one part of the review. */
export function largeFiles(count: number): FileDiff[] {
  return Array.from({length: count}, (_, index) => newFile(`f${index + 1}.ts`, 250));
}

export function reviewInput(diff: readonly FileDiff[], panel: readonly Seat[]) {
  const settings = smallSettings('interactive', panel);
  return {request: 'look at it', workspace: '/w', settings, diff};
}

/** The status follows from the votes on the parts, and nothing is approved without a vote. */
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
    ...unless(isAll === (status === 'completed'), 'the review differs from the status'),
    ...unless(
      status !== 'rejected' || verdicts.includes('rejected'),
      'it is rejected without a rejected part',
    ),
    ...unless(status !== 'completed' || asked > 0, 'it is approved though nobody has voted'),
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
      // The deadlines of parallel parts multiply the states. One part has all deadlines.
      mayFire: () => diff.length === 1,
    },
    law: reviewFaults,
  }),
);
