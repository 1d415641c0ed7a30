/** The row above the prompt. */

import {expect, test} from 'vitest';

import {chatStatus} from '../../../cli/chat/prompt.ts';
import type {Root} from '../../../cli/chat/roots.ts';
import {advance} from '../../../cli/view/fold.ts';
import {emptyView} from '../../../cli/view/run-view.ts';

const usage = {modelCalls: 12, inputTokens: 1, outputTokens: 1, cachedTokens: 0, costUsd: 0.25};
const view = advance(emptyView, {
  type: 'usage',
  model: 'mock/worker',
  spent: usage,
  totals: usage,
  seq: 1,
  at: 0,
  interaction: 'r1',
  actor: '',
});
const root: Root = {
  number: 1,
  id: 'r1',
  session: 'r1',
  form: 'agent',
  request: 'Say hello',
  view,
  startedAt: 0,
  isOpen: true,
};

test('parts that do not fit are left out whole, before what waits for a person', () => {
  const status = (width: number): string =>
    chatStatus({
      working: [root, root],
      waiting: [{place: '2'}],
      focused: {root},
      width,
      now: 87_000,
    }) ?? '';
  const whole =
    '1 · starting · 12 model calls · $0.25 · 1 min 27 s · 2 waits for you · 1 other works';
  expect(status(whole.length + 1)).toBe(whole);
  const parts = new Set(whole.split(' · '));
  for (let width = 10; width <= whole.length; width += 1) {
    const row = status(width);
    expect(row.length).toBeLessThan(width);
    expect(row.split(' · ').filter((part) => !parts.has(part))).toEqual([]);
    if (width > '1 · 2 waits for you'.length) expect(row).toContain('2 waits for you');
  }
});
