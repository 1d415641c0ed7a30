import {expect, test} from 'vitest';

import {openObjections} from '../../../machines/domain/ledger.ts';
import {readAttack, readRulings} from '../../../machines/questions/objections.ts';

const raised = {id: 'O1', round: 1, severity: 'major', objection: 'It fails.'} as const;

test('the open objections are listed with their evidence and the last answer', () => {
  expect(
    openObjections([
      {...raised, evidence: 'the log of May', answer: 'It does not.', ruling: 'stands'},
      {...raised, id: 'O2', ruling: 'resolved'},
      {...raised, id: 'O3', ruling: 'withdrawn'},
      {...raised, id: 'O4', severity: 'minor'},
    ]),
  ).toEqual(['major: It fails. (the log of May); answered: It does not.', 'minor: It fails.']);
});

test.each([
  ['an unknown severity', {objections: [{severity: 'fatal', objection: 'x'}]}, 'severity'],
  [
    'more objections than the limit',
    {objections: Array.from({length: 11}, () => ({severity: 'minor', objection: 'x'}))},
    '10',
  ],
  [
    'a withdrawal of an objection that is not open',
    {objections: [], withdrawn: ['O9']},
    'no open objection is called O9',
  ],
])('an attack with %s is invalid', (_, args, problem) => {
  const reading = readAttack(args, {open: ['O1']});
  expect(reading.ok ? '' : reading.problems.join()).toContain(problem);
});

test('rulings on a closed objection, or twice on the same one, are invalid', () => {
  const rulings = ['O1', 'O1', 'O2'].map((id) => ({id, ruling: 'stands', reason: 'so'}));
  expect(readRulings({rulings}, {open: ['O1']})).toEqual({
    ok: false,
    problems: ['O1, O2 is not open, or occurs twice'],
  });
});
