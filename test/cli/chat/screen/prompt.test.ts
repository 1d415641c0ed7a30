/** The row above the prompt. */

import {expect, test} from 'vitest';

import type {Root} from '../../../../cli/chat/roots.ts';
import {chatStatus} from '../../../../cli/chat/screen/prompt.ts';
import {advance} from '../../../../cli/render/view/fold.ts';
import {emptyView} from '../../../../cli/render/view/run-view.ts';

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

function status(width: number): string {
  const waiting = [{place: '2'}];
  const working = [root, root];
  return chatStatus({working, waiting, focused: {root}, width, now: 87_000}) ?? '';
}

test('parts that do not fit are omitted completely, before the part that waits for a person', () => {
  const whole =
    '1 · starting · 12 model calls · $0.25 · 1 min 27 s · 2 waits for you · 1 other running';
  expect(status(whole.length + 1)).toBe(whole);
  const parts = new Set(whole.split(' · '));
  const rows = Array.from(whole, (_, width) => status(width + 1)).slice(9);
  expect(rows.filter((row, at) => row.length > at + 10 - 1)).toEqual([]);
  expect(rows.flatMap((row) => row.split(' · ')).filter((part) => !parts.has(part))).toEqual([]);
  const roomy = rows.slice('1 · 2 waits for you'.length - 9);
  expect(roomy.filter((row) => !row.includes('2 waits for you'))).toEqual([]);
});
