/** Code that runs after the same command has changed what it may load. */

import type {Shell} from '../walk/shell.ts';

export function missChanged({ledger, places}: Shell, word: string): void {
  const path = places.makings.loaded();
  if (path !== undefined) ledger.miss({word, why: `runs after this command has changed ${path}`});
}
