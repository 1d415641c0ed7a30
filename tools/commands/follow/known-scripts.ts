/** Effects of scripts that existed before the run, such as a build that writes to ignored folders. */

import type {Effect} from '../effect.ts';
import type {Followed} from '../understanding.ts';

/** The effect belongs to a script that the command follows and that this run has not changed. */
export function isByKnownScript(
  {by}: Effect,
  followed: readonly Followed[],
  touched: ReadonlySet<string>,
): boolean {
  return followed.some(
    ({name, text}) => text.includes(by) && !touched.has(name.replace(/: .*$/s, '')),
  );
}
