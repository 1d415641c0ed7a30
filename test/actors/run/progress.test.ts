/** What a run tells is kept for those who listen, as much as anybody may want, and no more. */

import {expect, test} from 'vitest';

import {createProgress} from '../../../actors/run/progress.ts';
import type {ProgressEvent} from '../../../machines/facts/progress.ts';

const many = 60_000;

function tellMany(): {readonly events: AsyncIterable<ProgressEvent>; readonly tell: () => void} {
  const {events, report, end} = createProgress('run');
  const tell = (): void => {
    for (let at = 0; at < many; at += 1) report({type: 'thought', text: 'hm'}, 'i', at);
    report({type: 'model.delta', model: 'm', text: 'h'}, 'i', many);
    end();
  };
  return {events, tell};
}

async function heard(events: AsyncIterable<ProgressEvent>): Promise<ProgressEvent[]> {
  const all: ProgressEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

test('what nobody listens to does not pile up: who comes late hears the last of it', async () => {
  const {events, tell} = tellMany();
  tell();
  const late = await heard(events);
  expect(late).toHaveLength(500);
  expect([late[0]?.seq, late.at(-1)?.seq]).toEqual([many - 499, many]);
});

test('what a listener does not read piles up to a bound, and the gap shows in the numbers', async () => {
  const {events, tell} = tellMany();
  const slow = events[Symbol.asyncIterator]();
  tell();
  const first = await slow.next();
  const second = await slow.next();
  expect(first.value?.seq).toBe(many - 50_000 + 1);
  expect(second.value?.seq).toBe(many - 50_000 + 2);
});
