/** Texts of participants hide their authors, and lose nothing else. */

import {describe, expect, test} from 'vitest';

import {hideNames} from '../../../machines/panel/names.ts';

const named = [
  {id: 'claude-sonnet-4.5', model: 'anthropic/claude-sonnet-4.5'},
  {id: 'gpt-5.2-codex', model: 'openai/gpt-5.2-codex'},
  {id: 'solar', model: 'local/solar'},
  {id: 'a', model: 'mock/a'},
];

const shown = (text: string, question = 'Should we move the queue?') =>
  hideNames(text, named, question);

describe('a name is hidden', () => {
  test.each([
    ['As claude-sonnet-4.5, I would wait.', 'As [a participant], I would wait.'],
    ['I am Claude Sonnet 4.5 and I would wait.', 'I am [a participant] and I would wait.'],
    ['I’m GPT-5.2, by the way.', 'I’m [a participant], by the way.'],
    ['I am a model trained by Anthropic.', 'I am a model trained by [a participant].'],
    ['(anthropic/claude-sonnet-4.5)', '([a participant])'],
    ['I agree with GPT 5.2 Codex.', 'I agree with [a participant].'],
    ['**Solar:** yes.', '**[a participant]:** yes.'],
    ['Yes.\n— Solar', 'Yes.\n— [a participant]'],
    ['Solar here: yes.', '[a participant] here: yes.'],
    ['私はClaudeです。', '私は[a participant]です。'],
  ])('%j', (text, hidden) => {
    expect(shown(text)).toBe(hidden);
  });
});

describe('other words stay', () => {
  test.each([
    'Solar power is cheap, and a local queue costs a dollar.',
    'I am a developer, as a rule.',
    'Use a mock server in tests.',
    'Preclaude and gptx are other words.',
  ])('%j', (text) => {
    expect(shown(text)).toBe(text);
  });
});

test('a name in the question stays, except where a participant introduces itself', () => {
  const question = 'Is Claude or GPT better at this?';
  expect(shown('Claude is better.', question)).toBe('Claude is better.');
  expect(shown('I am Claude: Claude is better.', question)).toBe(
    'I am [a participant]: Claude is better.',
  );
});

test('a long text of beginnings of names is handled quickly', () => {
  const started = performance.now();
  shown('claude-'.repeat(20_000));
  shown('I am '.repeat(20_000));
  expect(performance.now() - started).toBeLessThan(1_000);
});
