/** The lists of commands in `test/fixtures/commands/`. */

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

const folder = join(import.meta.dirname, '../fixtures/commands');

export interface CommandList {
  /** `own-dangerous`. */
  readonly name: string;
  readonly isDangerous: boolean;
  readonly commands: readonly string[];
}

export function commandLists(): readonly CommandList[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.txt'))
    .toSorted()
    .map((file) => ({
      name: file.replace('.txt', ''),
      isDangerous: file.includes('dangerous'),
      commands: commandsIn(readFileSync(join(folder, file), 'utf8')),
    }));
}

/** One command per line; a comment, or a tab and a reason, is removed; `\n` is a line break, `\\n` a backslash and an n. */
function commandsIn(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.split('\t')[0] ?? '')
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) =>
      line.replaceAll(/\\(\\n|n)/g, (_, kind: string) => (kind === 'n' ? '\n' : '\\n')),
    );
}
