/** Commands that read many files at once, including credentials that no word names. */

import {isCredentialPlace} from '../../../machines/places/places.ts';
import type {Effect} from '../../../tools/commands/effect.ts';
import type {SimpleCommand} from '../../../tools/commands/understanding.ts';
import {commandBy} from '../rule.ts';

/** True if a file is read only because it matches a general pattern: `cat *`, `find . -exec cat {} +`. */
export function isUnnamed(effect: Effect, commands: readonly SimpleCommand[]): boolean {
  if (effect.kind !== 'reads' || !effect.wide) return false;
  const words = commandBy(effect.by, commands)?.args ?? [];
  return words.length > 0 && !words.some(({text}) => namesCredentials(text.replace(/^-.*?=/s, '')));
}

/** `.env*`, `*.pem`, `.ssh/*` */
function namesCredentials(pattern: string): boolean {
  return ['', 'x'].some((part) =>
    isCredentialPlace(pattern.replaceAll(/\*+|\?|\[[^\]]*\]/g, part)),
  );
}
