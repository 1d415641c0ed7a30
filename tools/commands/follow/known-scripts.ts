/** What a script does that was there before the run: a build that puts its files where git ignores them. */

import type {Effect} from '../effect.ts';
import type {Followed} from '../understanding.ts';

/** The effect is one of a script that the command follows, and that this run has not touched. */
export function isByKnownScript(
  {by}: Effect,
  followed: readonly Followed[],
  touched: ReadonlySet<string>,
): boolean {
  return followed.some(
    ({name, text}) => text.includes(by) && !touched.has(name.replace(/: .*$/s, '')),
  );
}
