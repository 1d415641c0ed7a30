/**
 * Descriptors that this process was started with and knows nothing of, as some terminals and scripts leave them: whatever it
 * starts would have them too, a sandbox included, and through that of a folder reach what lies around it.
 */

import {createWriteStream, openSync, readdirSync, readFileSync, type WriteStream} from 'node:fs';

export type Descriptor = 'ignore' | WriteStream;

const closedOnExec = 0o2_000_000;

/** Beyond it nobody opens any. */
const highest = 1_023;

let known: readonly Descriptor[] | undefined;

/** What a child has from its fourth descriptor on: nothing, and what can't be kept from it leads nowhere. */
export function moreDescriptors(): readonly Descriptor[] {
  known ??= covered(inherited());
  return known;
}

function covered(open: ReadonlySet<number>): readonly Descriptor[] {
  if (open.size === 0) return [];
  const nowhere = createWriteStream('', {fd: openSync('/dev/null', 'r+'), autoClose: false});
  return Array.from({length: Math.max(...open) - 2}, (_, at) =>
    open.has(at + 3) ? nowhere : 'ignore',
  );
}

/** None where there is no /proc: nobody can tell then. */
function inherited(): ReadonlySet<number> {
  try {
    const all = readdirSync('/proc/self/fd').map(Number);
    return new Set(all.filter((fd) => fd > 2 && fd <= highest && !isClosedOnExec(fd)));
  } catch {
    return new Set();
  }
}

function isClosedOnExec(fd: number): boolean {
  try {
    const [, flags = ''] =
      /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1')) ?? [];
    return (Number.parseInt(flags, 8) & closedOnExec) !== 0;
  } catch {
    return true;
  }
}
