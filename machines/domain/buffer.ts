/** The bounded buffer of earlier results that a task gets to read. */

import type {TaskResult} from './result.ts';
import type {ContextSettings} from './settings.ts';

/** UTF-16 units stand in for bytes: close enough for a bound. */
export function cap(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = Math.floor(max * 0.7);
  const tail = max - head;
  const left = text.length - max;
  return `${text.slice(0, head)}\n[… ${left} characters cut …]\n${text.slice(text.length - tail)}`;
}

/** The latest results whole, older ones in a line each, within the total. */
export function resultBuffer(results: readonly TaskResult[], settings: ContextSettings): string {
  const full = results.length - settings.recentFullCount;
  const entries = results.map(({id, status, description, output}, index) => {
    const title = `Task ${id} (${status}): ${description}`;
    return index < full ? title : `${title}\n${cap(output, settings.maxEntryBytes)}`;
  });
  return cap(entries.join('\n\n'), settings.maxTotalBytes);
}
