/** The table of answers on a terminal: rows of secret fields are masked, even short secrets. */

import {expect, test} from 'vitest';

import {withoutSecrets} from '../../../cli/interview/screen.ts';
import {openDialogue, withAnswer} from '../../../machines/forms/interview/dialogue.ts';
import {confirmationText} from '../../../machines/forms/interview/templates.ts';
import type {InterviewView} from '../../../machines/questionnaire/answers.ts';
import type {FormField} from '../../../machines/questionnaire/questionnaire.ts';

const field = {required: true, type: 'text', sensitivity: 'none', order: 0} as const;
const fields: readonly FormField[] = [
  {...field, id: 'people', label: 'Number of people', type: 'integer'},
  {...field, id: 'pin', label: 'PIN', sensitivity: 'secret'},
  {...field, id: 'remarks', label: 'Remarks'},
  {...field, id: 'card', label: 'Card', sensitivity: 'secret'},
];
const questionnaire = {
  id: 'form',
  title: 'Form',
  fields,
  facts: [{field: 'card', key: 'year', fact: 'Valid until'}],
};

test('a short secret is masked in its row and nowhere else', () => {
  const answers = {people: 7, pin: '7', remarks: 'platform 7', card: '12\n34'};
  const facts = {year: {value: '2030', quote: '2030'}};
  const dialogue = Object.entries(answers).reduce(
    (now, [id, value]) =>
      withAnswer(now, id, {value, facts: id === 'card' ? facts : {}, by: 'rules'}),
    openDialogue(questionnaire, {language: 'en'}),
  );
  const view: InterviewView = {
    state: 'confirming',
    questionnaire,
    order: dialogue.order,
    fields: dialogue.fields,
    said: [],
    answers: {form: 'form', submission: 'x', status: 'confirming', language: 'en', answers: {}},
    open: [],
    canSubmit: true,
  };
  const shown = withoutSecrets(confirmationText(dialogue, false), view);
  expect(shown.split('\n').slice(1, 5)).toEqual([
    '1. Number of people: 7',
    '2. PIN: •••',
    '3. Remarks: platform 7',
    '4. Card: •••',
  ]);
  expect(shown).not.toContain('2030');
});
