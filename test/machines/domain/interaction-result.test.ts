import {expect, test} from 'vitest';

import {toContextInjection, toInteractionResult} from '../../../machines/index.ts';

test('results are told to the interaction above in the words of the design', () => {
  const synthesis = 'Consensus reached on approach A.';
  expect(toContextInjection({form: 'discuss', synthesis, participantCount: 3})).toBe(
    '[Discuss Result (3 models)]: Consensus reached on approach A.',
  );
  const summary = 'README updated successfully.';
  expect(toContextInjection({form: 'agent', summary, success: true})).toBe(
    '[Agent Result (completed)]: README updated successfully.',
  );
  expect(toContextInjection({form: 'agent', summary: 'No.', success: false})).toBe(
    '[Agent Result (failed)]: No.',
  );
  expect(toContextInjection({form: 'ask', answer: 'In a.ts:3.'})).toBe('[Ask Result]: In a.ts:3.');
});

test('one that came to nothing says how it ended', () => {
  const output = {status: 'error', summary: 'the model is gone'} as const;
  const told = (form: 'ask' | 'discuss' | 'agent') =>
    toContextInjection(toInteractionResult(form, output));
  expect(told('ask')).toBe('[Ask Result]: (error) the model is gone');
  expect(told('discuss')).toBe('[Discuss Result (0 models)]: (error) the model is gone');
  expect(told('agent')).toBe('[Agent Result (failed)]: the model is gone');
});
