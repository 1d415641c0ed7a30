/** An answer whose claims the record contradicts is corrected once, and then cut. */

import {expect, test} from 'vitest';

import {claimCheckMachine} from '../../../machines/forms/claim-check.ts';
import {byHand} from '../../support/by-hand.ts';
import {checkInput} from '../events/claim-check.ts';
import {failing, ruling, saying} from '../events/outcomes.ts';

test('an answer without a claim passes without a request', () => {
  const check = byHand(claimCheckMachine, {...checkInput, answer: 'The port is 8080.'});
  expect(check.output()).toEqual({answer: 'The port is 8080.', isCut: false});
});

test('an answer whose claims the record supports passes', () => {
  const check = byHand(claimCheckMachine, checkInput);
  check.settle('claims', ruling('approve'));
  expect(check.output()).toEqual({answer: checkInput.answer, isCut: false});
});

test('a contradicted answer is corrected by its model, which reads the problem', () => {
  const check = byHand(claimCheckMachine, checkInput);
  check.settle('claims', ruling('reject'));
  const [request] = check.requests('callModel');
  expect(request?.transcript.messages[0]?.text).toContain('# Problems\n- "the rule says reject"');
  check.settle('call', saying('The port is 8080. No test was run.'));
  expect(check.output()).toBeUndefined();
  check.settle('claims', ruling('approve'));
  expect(check.output()).toEqual({answer: 'The port is 8080. No test was run.', isCut: false});
});

test('a correction that is contradicted as well loses the sentences with the claims', () => {
  const check = byHand(claimCheckMachine, checkInput);
  check.settle('claims', ruling('reject'));
  check.settle('call', saying('I wrote a.md. The port is 8081.'));
  check.settle('claims', ruling('reject'));
  expect(check.output()).toEqual({answer: 'The port is 8081.', isCut: true});
});

test('without a correction the answer loses the sentences with the claims', () => {
  const check = byHand(claimCheckMachine, checkInput);
  check.settle('claims', ruling('reject'));
  check.settle('call', failing('auth'));
  expect(check.output()).toEqual({answer: 'The port is 8080.', isCut: true});
});

test.each([
  ['what is it?', 'All tests pass.', 'Nothing was done.'],
  ['これは何ですか', 'テストはすべて成功しました。', '何も実行していません。'],
])(
  'an answer to %j that consists only of claims is replaced by a note that nothing was done',
  (question, answer, end) => {
    const check = byHand(claimCheckMachine, {...checkInput, question, answer});
    check.settle('claims', ruling('reject'));
    check.settle('call', saying(''));
    expect(check.output()).toMatchObject({answer: expect.stringContaining(end), isCut: true});
  },
);
