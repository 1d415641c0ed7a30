/**
 * Inherited descriptors that this process does not use, as some terminals and scripts leave them: child processes would
 * inherit them as well, even in a sandbox, and through the descriptor of a folder reach the files around it.
 */

import {createWriteStream, openSync, readdirSync, readFileSync, type WriteStream} from 'node:fs';

export type Descriptor = 'ignore' | WriteStream;

const closedOnExec = 0o2_000_000;

/** Programs do not open higher ones. */
const highest = 1_023;

let known: readonly Descriptor[] | undefined;

/** The descriptors of a child from the fourth on: closed, or replaced by one that leads nowhere. */
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

/** None where there is no /proc: then they are unknown. */
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
