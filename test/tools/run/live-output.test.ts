/** The output of a command that is shown while it runs. */

import {expect, test} from 'vitest';

import {createLiveOutput} from '../../../tools/run/live-output.ts';
import {createPlace} from '../place.ts';

function reportsOf(chunks: readonly (string | Buffer)[]): string[] {
  const reports: string[] = [];
  const live = createLiveOutput((text) => reports.push(text));
  for (const chunk of chunks) live.take(Buffer.from(chunk));
  live.end();
  return reports;
}

test('lines are reported whole, for any division into pieces', () => {
  expect(reportsOf(['on', 'e\ntwo\nth', 'ree\n', 'rest'])).toEqual(['one\ntwo', 'three', 'rest']);
});

test('a character that is split across pieces is joined', () => {
  const bytes = Buffer.from('語\n');
  expect(reportsOf([bytes.subarray(0, 2), bytes.subarray(2)])).toEqual(['語']);
});

test('control sequences that move the cursor are dropped', () => {
  expect(reportsOf(['a\u001b[2Jb\r\n'])[0]).not.toContain('\u001b');
});

test('only the length of a line that is too long is reported', () => {
  const piece = 'x'.repeat(10_000);
  expect(reportsOf([piece, piece, '\nnext\n'])).toEqual(['[a line of 20000 characters]\nnext']);
  expect(reportsOf([piece, piece])).toEqual(['[a line of 20000 characters]']);
});

test('output that is too long to follow is not reported', () => {
  const reports = reportsOf(Array.from({length: 100}, () => `${'y'.repeat(9_999)}\n`));
  expect(reports).toHaveLength(27);
  expect(reports.at(-1)).toBe('[further output is shown when it has ended]');
});

test('output of a command is reported while it runs, and its outcome contains the same', async () => {
  const place = createPlace();
  const reports: string[] = [];
  const first = Promise.withResolvers<void>();
  const running = place.run(
    'run_command',
    {command: 'echo one; until [ -e go ]; do sleep 0.05; done; echo two'},
    {
      onOutput: (text) => {
        reports.push(text);
        first.resolve();
      },
    },
  );
  await first.promise;
  expect(reports).toEqual(['one']);
  place.put('go', '');
  expect(await running).toMatchObject({kind: 'succeeded', text: 'one\ntwo\n'});
  expect(reports).toEqual(['one', 'two']);
});
