/** The sources that an answer rests on. */

import type {LoopStep, Source} from './tool.ts';

const maxSources = 10;
const maxUnnamed = 3;

/**
 * Those that the answer names by place, else by file. When it names none: the first of each step, since the answer
 * rests on them or on nothing. Each once, in the order in which they came.
 */
export function sourcesOf(answer: string, steps: readonly LoopStep[]): Source[] {
  const all = distinct(steps.flatMap(({sources}) => sources ?? []));
  const placed = all.filter(({place}) => isNamed(answer, place));
  const filed = all.filter(({place}) => isNamed(answer, place.replace(/:\d+(?:-\d+)?$/, '')));
  const unnamed = distinct(steps.flatMap(({sources}) => (sources ?? []).slice(0, maxUnnamed)));
  const found = [placed, filed, unnamed].find((list) => list.length > 0) ?? [];
  return found.slice(0, maxSources);
}

/** Not as the beginning of a longer place: `a.ts:1` is not named by `a.ts:12`. */
function isNamed(answer: string, place: string): boolean {
  let at = answer.indexOf(place);
  while (at >= 0) {
    if (!/[\w-]/.test(answer[at + place.length] ?? ' ')) return true;
    at = answer.indexOf(place, at + 1);
  }
  return false;
}

function distinct(sources: readonly Source[]): Source[] {
  return [...new Map(sources.map((each) => [JSON.stringify(each), each])).values()];
}
