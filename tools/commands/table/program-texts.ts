/** The text files of the table. The build replaces this module by one with their lines; see rolldown.config.ts. */

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

const folder = join(import.meta.dirname, '../programs');

/** By file name. Throws if a file can't be read. */
export function programTexts(): Readonly<Record<string, string>> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.txt'));
  return Object.fromEntries(
    names.toSorted().map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
}
