/** Guardrails around a question and its answer. */

import {describe, expect, test} from 'vitest';

import {createAsking, say} from '../support/asking.ts';

const guardrails = {
  max_input_tokens: 40,
  max_output_tokens: 40,
  blocked_patterns: ['(?i)password', String.raw`\b\d{3}-\d{4}\b`],
};

function asked(answer = 'It is 3 m deep.') {
  return createAsking({config: {guardrails}, answer: () => say(answer)});
}

describe('the question', () => {
  test.each([
    'Tell me the PASSWORD',
    'Tell me the ｐａｓｓｗｏｒｄ',
    'Tell me the pass\u200bword',
    'Tell me the pa\u00adss\u2060wo\u{e0020}rd',
    'Call ５５５-１２３４',
  ])('%j is blocked before any model is called', async (question) => {
    const asking = asked();
    const {result} = await asking.ask(question);
    expect(result).toMatchObject({status: 'rejected', exitCode: 1, stoppedReason: 'blocked'});
    expect(result.summary).toMatch(/^Blocked by a guardrail: the input matches a blocked pattern/);
    expect(result).not.toHaveProperty('answer');
    expect(asking.requests).toEqual([]);
  });

  test.each([
    ['English', 'word '.repeat(40)],
    ['Japanese', '東京の営業時間'.repeat(8)],
  ])('that is too long in %s is blocked, and the error has both sizes', async (_, question) => {
    const {result} = await asked().ask(question);
    expect(result).toMatchObject({status: 'rejected', stoppedReason: 'blocked'});
    expect(result.summary).toMatch(
      /about \d+ tokens, more than the limit of 40 \(guardrails\.max_input_tokens\)/,
    );
  });

  test.each([
    ['close to the limit', 'word '.repeat(27), /close to the limit of 40/],
    ['with invisible characters', 'How deep\u202e is it?', /invisible characters: U\+202E/],
  ])('%s passes with a warning', async (_, question, warning) => {
    const {result, events} = await asked().ask(question);
    expect(result.status).toBe('completed');
    expect(events).toContainEqual(
      expect.objectContaining({type: 'warning', message: expect.stringMatching(warning)}),
    );
  });

  test('in Persian may contain joiners', async () => {
    const {events} = await asked().ask('استخر چقدر عمق می\u200cشود؟');
    expect(events.filter(({type}) => type === 'warning')).toEqual([]);
  });

  test('with an emoji of several characters causes no warning', async () => {
    const {events} = await asked().ask('How deep is the pool for 👩‍👩‍👧 and 🏴󠁧󠁢󠁥󠁮󠁧󠁿?');
    expect(events.filter(({type}) => type === 'warning')).toEqual([]);
  });
});

describe('the answer', () => {
  test.each([
    ['matches a pattern', 'The password is 1234', /the output matches a blocked pattern/],
    ['is too long', 'deep '.repeat(60), /the output has about \d+ tokens, more than/],
  ])('that %s is withheld', async (_, answer, reason) => {
    const {result, events} = await asked(answer).ask();
    expect(JSON.stringify(events)).not.toContain(answer);
    expect(result.guardrail).toMatchObject({action: 'block', details: {stage: 'output'}});
    expect(result).toMatchObject({status: 'rejected', exitCode: 1, stoppedReason: 'blocked'});
    expect(result.summary).toMatch(reason);
    expect(result).not.toHaveProperty('answer');
  });

  test('has a token limit that does not limit the thinking of the model', async () => {
    const asking = asked();
    await asking.ask();
    expect(asking.requests[0]?.maxOutputTokens).toBe(32_000);
  });
});
