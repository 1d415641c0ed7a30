/** The latest command output on a screen, so that a result below it does not repeat it. */

import type {Language} from '../../../machines/domain/language.ts';
import {t} from '../../../machines/message.ts';
import {say} from '../../language.ts';

/** Kept output: as much as a result may quote. */
const maxPrinted = 5000;

export interface Printed {
  readonly add: (text: string) => void;
  /** The latest lines. */
  readonly lines: () => readonly string[];
}

export function createPrinted(): Printed {
  const lines: string[] = [];
  return {
    add: (text) => {
      lines.push(...text.split('\n'));
      lines.splice(0, lines.length - maxPrinted);
    },
    lines: () => lines,
  };
}

/** Fewer lines are repeated: they are shorter than the replacement. */
const leastRun = 4;

/** The text with each run of lines that was printed, in the same order, replaced by their number. Blank lines don't count. */
export function withoutPrinted(
  text: string,
  printed: readonly string[],
  language?: Language,
): string {
  const known = printed.map((line) => line.trim()).filter((line) => line !== '');
  const places = new Map(known.map((line, place) => [line, place] as const).toReversed());
  const lines = text.split('\n');
  const kept: string[] = [];
  for (let at = 0; at < lines.length;) {
    const {count, end} = runAt(at, {lines, known, places});
    if (count >= leastRun) kept.push(say(t`[${count} {line|lines}: see above]`, {language}));
    else kept.push(...lines.slice(at, end));
    at = end;
  }
  return kept.join('\n');
}

interface Places {
  readonly lines: readonly string[];
  readonly known: readonly string[];
  /** The index at which a line was first printed. */
  readonly places: ReadonlyMap<string, number>;
}

/** The number of consecutive printed lines from this one on, and the index below the last; at least this line. */
function runAt(at: number, {lines, known, places}: Places): {count: number; end: number} {
  let place = places.get(lines[at]?.trim() ?? '') ?? known.length;
  let [count, end] = [0, at + 1];
  for (let next = at; next < lines.length; next += 1) {
    const line = lines[next]?.trim() ?? '';
    if (line === '') continue;
    if (line !== known[place]) break;
    place += 1;
    count += 1;
    end = next + 1;
  }
  return {count, end};
}
