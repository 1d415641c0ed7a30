/** What is shown of a command while it runs. */

import {expect, test} from 'vitest';

import {createLiveOutput} from '../../../tools/run/live-output.ts';
import {createPlace} from '../place.ts';

function heard(chunks: readonly (string | Buffer)[]): string[] {
  const told: string[] = [];
  const live = createLiveOutput((text) => told.push(text));
  for (const chunk of chunks) live.take(Buffer.from(chunk));
  live.end();
  return told;
}

test('lines are told whole, whatever pieces they come in', () => {
  expect(heard(['on', 'e\ntwo\nth', 'ree\n', 'rest'])).toEqual(['one\ntwo', 'three', 'rest']);
});

test('a character that is cut in two is one', () => {
  const bytes = Buffer.from('語\n');
  expect(heard([bytes.subarray(0, 2), bytes.subarray(2)])).toEqual(['語']);
});

test('what would move the cursor does not', () => {
  expect(heard(['a\u001b[2Jb\r\n'])[0]).not.toContain('\u001b');
});

test('a line that is too long is told by its length only', () => {
  const piece = 'x'.repeat(10_000);
  expect(heard([piece, piece, '\nnext\n'])).toEqual(['[a line of 20000 characters]\nnext']);
  expect(heard([piece, piece])).toEqual(['[a line of 20000 characters]']);
});

test('more than anybody can follow is not told', () => {
  const told = heard(Array.from({length: 100}, () => `${'y'.repeat(9_999)}\n`));
  expect(told).toHaveLength(27);
  expect(told.at(-1)).toBe('[further output is shown when it has ended]');
});

test('a command is heard while it runs, and its outcome holds the same', async () => {
  const place = createPlace();
  const told: string[] = [];
  const first = Promise.withResolvers<void>();
  const running = place.run(
    'run_command',
    {command: 'echo one; until [ -e go ]; do sleep 0.05; done; echo two'},
    {
      onOutput: (text) => {
        told.push(text);
        first.resolve();
      },
    },
  );
  await first.promise;
  expect(told).toEqual(['one']);
  place.put('go', '');
  expect(await running).toMatchObject({kind: 'succeeded', text: 'one\ntwo\n'});
  expect(told).toEqual(['one', 'two']);
});
