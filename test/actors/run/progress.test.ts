/** The events of a run are kept for listeners, up to a limit. */

import {expect, test} from 'vitest';

import {createProgress} from '../../../actors/run/progress.ts';
import type {ProgressEvent} from '../../../machines/facts/progress.ts';

const many = 60_000;

function emitMany(): {readonly events: AsyncIterable<ProgressEvent>; readonly emit: () => void} {
  const {events, report, end} = createProgress('run');
  const emit = (): void => {
    for (let at = 0; at < many; at += 1) report({type: 'thought', text: 'hm'}, 'i', at);
    report({type: 'model.delta', model: 'm', text: 'h'}, 'i', many);
    end();
  };
  return {events, emit};
}

async function collect(events: AsyncIterable<ProgressEvent>): Promise<ProgressEvent[]> {
  const all: ProgressEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

test('without a listener few events are kept: a late listener receives the last ones', async () => {
  const {events, emit} = emitMany();
  emit();
  const late = await collect(events);
  expect(late).toHaveLength(500);
  expect([late[0]?.seq, late.at(-1)?.seq]).toEqual([many - 499, many]);
});

test('unread events are kept up to a limit, and the gap shows in their numbers', async () => {
  const {events, emit} = emitMany();
  const slow = events[Symbol.asyncIterator]();
  emit();
  const first = await slow.next();
  const second = await slow.next();
  expect(first.value?.seq).toBe(many - 50_000 + 1);
  expect(second.value?.seq).toBe(many - 50_000 + 2);
});
