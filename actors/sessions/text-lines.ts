/** Splits a stream of text into lines. */

import {AppError} from '../../machines/domain/app-error.ts';

/** No entry and no backup is longer. UTF-16 units. */
const maxUnits = 64 * 1024 * 1024;

/** Holds one line at a time. Rejects with AppError `usage` for a line that is too long, before all of it is read. */
export async function* linesIn(
  chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
  longest = maxUnits,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let number = 1;
  let parts: string[] = [];
  let units = 0;
  for await (const chunk of chunks) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, {stream: true});
    const pieces = text.split('\n');
    for (const [index, piece] of pieces.entries()) {
      parts.push(piece);
      units += piece.length;
      if (units > longest) throw tooLong(number);
      if (index === pieces.length - 1) break;
      yield parts.join('');
      number += 1;
      [parts, units] = [[], 0];
    }
  }
  const last = parts.join('') + decoder.decode();
  if (last !== '') yield last;
}

function tooLong(number: number): AppError {
  return new AppError('usage', `line ${number} is too long for an exported run`);
}
