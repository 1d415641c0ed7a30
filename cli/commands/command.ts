/** What the commands share: their own part of the command line, and how much they tell. */

import type {Command, Globals} from '../arguments.ts';
import type {Level} from '../lines/events.ts';

export type CommandOf<K extends Command['kind']> = Command & {readonly kind: K};

export function levelOf({quiet, verbose}: Globals): Level {
  if (verbose) return 'verbose';
  return quiet ? 'quiet' : 'normal';
}
