/** The output of a process: captured, shown live, and read from the list of processes. */

import {once} from 'node:events';
import {existsSync} from 'node:fs';

import {execa} from 'execa';
import {array, assert, integer, property} from 'fast-check';
import {expect, test, onTestFinished} from 'vitest';

import {createCapture, createLiveOutput} from '../../../tools/run/child.ts';
import {endProcessGroup, startTimeOf} from '../../../tools/run/processes.ts';
import {createPlace} from '../place.ts';

const half = 32 * 1024;

/** `size` bytes of text in which each position is unique. */
function makeText(size: number): string {
  const lines = Array.from({length: Math.ceil(size / 8)}, (_, at) => `${1_000_000 + at}\n`);
  return lines.join('').slice(0, size);
}

/** Chunks as a stream delivers them: each in memory of its own. */
function chunkOf(text: string): Buffer<ArrayBuffer> {
  const memory = new ArrayBuffer(text.length);
  const chunk = Buffer.from(memory);
  chunk.write(text);
  return chunk;
}

test('for any division into chunks, the beginning and the end of the output are kept', () => {
  const sizes = array(integer({min: 0, max: 70_000}), {maxLength: 8});
  assert(
    property(sizes, (parts) => {
      const total = parts.reduce((sum, size) => sum + size, 0);
      const text = makeText(total);
      const capture = createCapture();
      let at = 0;
      for (const size of parts) {
        capture.take(chunkOf(text.slice(at, at + size)));
        at += size;
      }
      const cut = total - 2 * half;
      const expected =
        cut <= 0
          ? text
          : `${text.slice(0, half)}\n[cut: ${cut} bytes of ${total}]\n${text.slice(-half)}`;
      expect(capture.text()).toBe(expected);
    }),
    {numRuns: 50},
  );
});

test('the memory of a chunk is released at once', () => {
  const capture = createCapture();
  const chunk = chunkOf('kept');
  capture.take(chunk);
  expect(chunk.buffer.byteLength).toBe(0);
  expect(capture.text()).toBe('kept');
});

test('a chunk in shared memory is unchanged', () => {
  const shared = Buffer.from(new ArrayBuffer(8));
  shared.write('mineyour');
  const capture = createCapture();
  capture.take(shared.subarray(0, 4));
  expect(shared.toString()).toBe('mineyour');
  expect(capture.text()).toBe('mine');
});

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

const hasProc = existsSync('/proc/self/stat');

test.skipIf(!hasProc)(
  'a group is ended only while its leader is the process that was remembered',
  async () => {
    const child = execa('/bin/sh', ['-c', 'echo begun; sleep 9999 | cat'], {
      killDescendants: true,
      reject: false,
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    const group = child.pid ?? 0;
    const startedAt = startTimeOf(group) ?? '';
    expect(startedAt).toMatch(/^\d+$/);
    expect(endProcessGroup(group, `${startedAt}0`)).toBe(false);
    expect(endProcessGroup(group, '')).toBe(false);
    expect(startTimeOf(group)).toBe(startedAt);
    expect(endProcessGroup(group, startedAt)).toBe(true);
    // The pipe closes when the last process of the group has ended.
    await child;
    expect(endProcessGroup(group, startedAt)).toBe(false);
  },
);

test('a process that does not exist has no start time, and nothing is signalled for it', () => {
  expect(startTimeOf(2 ** 30)).toBeUndefined();
  for (const group of [0, 1, -1, Number.NaN, 1.5]) expect(endProcessGroup(group, '1')).toBe(false);
});

test.skipIf(!hasProc)('the start time of this process is constant', () => {
  expect(startTimeOf(process.pid)).toBe(startTimeOf(process.pid));
  expect(Number(startTimeOf(process.pid))).toBeGreaterThanOrEqual(Number(startTimeOf(1)));
});
