/** The parts of a long output that are kept. */

import {array, assert, integer, property} from 'fast-check';
import {expect, test} from 'vitest';

import {createCapture} from '../../../tools/run/capture.ts';

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
