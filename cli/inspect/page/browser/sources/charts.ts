/** The charts that were loaded, for all panels. */

import type {Chart} from '../../../replies.ts';
import type {Source} from './source.ts';

interface Entry {
  chart?: Chart | undefined;
  isLoaded: boolean;
  readonly waiting: Set<() => void>;
}

const loaded = new WeakMap<Source, Map<string, Entry>>();

/** `loading`: `arrived` is called once it is known. `none`: the machine has no chart, or it could not be read. */
export function chartOf(
  source: Source,
  trace: string,
  machine: string,
  arrived: () => void,
): Chart | 'loading' | 'none' {
  const entries = loaded.get(source) ?? new Map<string, Entry>();
  loaded.set(source, entries);
  const key = JSON.stringify([trace, machine]);
  const entry = entries.get(key) ?? begin(source, trace, machine);
  entries.set(key, entry);
  if (entry.isLoaded) return entry.chart ?? 'none';
  entry.waiting.add(arrived);
  return 'loading';
}

function begin(source: Source, trace: string, machine: string): Entry {
  const entry: Entry = {isLoaded: false, waiting: new Set()};
  const arrive = (chart?: Chart): void => {
    Object.assign(entry, {chart, isLoaded: true});
    for (const notify of entry.waiting) notify();
    entry.waiting.clear();
  };
  source.chart(trace, machine).then(arrive, () => arrive());
  return entry;
}
