/** Opaque state of a provider in conversations, and in plain data that is shown. */

import {expect, test} from 'vitest';

import {hideOpaque, replyMessage, withoutOpaque} from '../../../machines/prompts/transcript.ts';

const opaque = {model: 'a/m', parts: [{thinking: 'hm', signature: 'abc'}]};
const reply = replyMessage({text: 'I look.', calls: [], opaque});

test('a message loses its opaque state, and nothing else', () => {
  expect(reply).toHaveProperty('opaque', opaque);
  expect(withoutOpaque(reply)).toEqual({role: 'assistant', text: 'I look.', calls: []});
  const asked = {role: 'user', text: 'Look.'} as const;
  expect(withoutOpaque(asked)).toBe(asked);
});

test('shown data has no opaque state at any depth, and shares all that has none', () => {
  const other = {deep: ['kept']};
  const shown = hideOpaque({other, list: [{messages: [{text: 'I look.', opaque}]}]});
  expect(shown).toEqual({other, list: [{messages: [{text: 'I look.'}]}]});
  expect(shown.other).toBe(other);
});

test('an argument that is called opaque is shown', () => {
  const call = {args: {opaque: true}};
  expect(hideOpaque(call)).toBe(call);
});
