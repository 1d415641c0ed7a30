import {expect, test} from 'vitest';

import type {Field, Message} from '../../../../cli/serve/page/browser/sync/wire.ts';
import {partsOf} from '../../../../cli/serve/page/browser/wording.ts';

const field: Field = {
  id: 'start',
  label: 'Start date',
  type: 'date',
  required: true,
  status: 'interviewing',
  sensitivity: 'none',
};

function said(text: string, more: Partial<Message> = {}): string[] {
  const message: Message = {position: 1, from: 'agent', agent: 'interviewer', text, ...more};
  return partsOf(message, [field]).map((part) => `${part.kind}: ${part.text}`);
}

test('the last paragraph is the question', () => {
  expect(said('Skipped: Phone number.\n\nWhen could\nyou start?')).toEqual([
    'aside: Skipped: Phone number.',
    'question: When could\nyou start?',
  ]);
});

test('text below the name of a field is a hint, text above it is not', () => {
  const text =
    'Let’s begin.\nStart date (you may skip this)\nA date, please.\nFor example 2026-03-04.';
  expect(said(text, {field: 'start'})).toEqual([
    'aside: Let’s begin.',
    'question: Start date (you may skip this)',
    'hint: A date, please.\nFor example 2026-03-04.',
  ]);
});

test('answers in the review are not listed above it', () => {
  const text = 'Your answers:\n1. Start date: 2026-03-04\n2. Lunch\nIs that right?';
  expect(said(text, {agent: 'confirmation'})).toEqual([
    'question: Your answers:\n2. Lunch\nIs that right?',
  ]);
  expect(said(text)).toEqual([`question: ${text}`]);
});
