/** Japanese for rows that are written elsewhere in English, found by their English text. */

import {escapePattern} from '../../../machines/domain/escape-pattern.ts';
import {lint} from './lint.ts';
import {rules} from './rules.ts';
import {settings} from './settings.ts';

/** The English texts with their Japanese. `$1` stands for the same words in both. */
export const translations: ReadonlyMap<string, string> = new Map(
  [settings, lint, rules].flatMap((table) =>
    table
      .trim()
      .split('\n')
      .map((line): [string, string] => {
        const [english = '', japanese = ''] = line.split(' = ');
        return [english, japanese];
      }),
  ),
);

/** The Japanese of an English row; the row itself where there is none. */
export function inJapanese(english: string): string {
  const exact = translations.get(english);
  if (exact !== undefined) return exact;
  for (const [pattern, japanese] of translations) {
    if (!pattern.includes('$1')) continue;
    const source = escapePattern(pattern).replace('\\$1', '(.*)');
    const [, words] = new RegExp(`^${source}$`).exec(english) ?? [];
    if (words !== undefined) return japanese.replace('$1', () => words);
  }
  return english;
}
