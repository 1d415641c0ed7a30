/** The settings' reference in `actors/config/README.md`, made of the schema. */

import {settingsReference} from '../../actors/config/reference.ts';

const [begin, end] = ['<!-- settings -->\n', '<!-- /settings -->'];

/** The Markdown with every setting between `<!-- settings -->` and `<!-- /settings -->`. Throws without them. */
export function withSettings(markdown: string): string {
  const from = markdown.indexOf(begin);
  const to = markdown.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error('there is no place for the settings');
  const lines = settingsReference().map(({key, takes, default: value, text}) => {
    const preset = value === '' ? '' : ` = \`${value}\``;
    return `- \`${key}\`${preset}: ${text}${takes === '' ? '' : ` (\`${takes}\`)`}`;
  });
  return `${markdown.slice(0, from + begin.length)}\n${lines.join('\n')}\n\n${markdown.slice(to)}`;
}
