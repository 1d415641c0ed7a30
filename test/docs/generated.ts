/**
 * The lists in the documentation that are generated from the code: settings, keys, offline requests and policy rules. As a program,
 * a part of `npm run diagrams`, it writes them into their pages.
 */

import {readFileSync, writeFileSync} from 'node:fs';

import {type Setting, settingsReference} from '../../actors/config/schema.ts';
import {recipes} from '../../actors/model/offline/recipes.ts';
import {diffRules, policyRules} from '../../actors/policies/index.ts';

/** By page and by mark: the text between `<!-- MARK -->` and `<!-- /MARK -->`. */
const lists: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'actors/config/README.md': {settings: settingsList},
  'cli/screen/README.md': {keys: keysList},
  'actors/model/offline/README.md': {
    requests: () => recipes.map(({en, ja}) => `- ${en[0]}\n- ${ja[0]}`).join('\n'),
  },
  'actors/policies/rules.md': {
    rules: () => rulesList(policyRules),
    'diff-rules': () =>
      rulesList(
        diffRules.map(({policy, id, refuses, severity}) => ({
          policy,
          id,
          refuses: `(${severity}) ${refuses}`,
        })),
      ),
  },
};

/** Paths of the pages with a generated list. */
export const generatedPages: readonly string[] = Object.keys(lists);

/** The page with its lists as generated from the code. Throws Error when a mark is missing. */
export function withLists(path: string, markdown: string): string {
  return Object.entries(lists[path] ?? {}).reduce(
    (text, [mark, list]) => withList(text, mark, list()),
    markdown,
  );
}

function withList(markdown: string, mark: string, list: string): string {
  const begin = `<!-- ${mark} -->\n`;
  const from = markdown.indexOf(begin);
  const to = markdown.indexOf(`<!-- /${mark} -->`, from);
  if (from < 0 || to < 0) throw new Error(`the page has no mark "${mark}"`);
  return `${markdown.slice(0, from + begin.length)}\n${list}\n\n${markdown.slice(to)}`;
}

const isOfKeys = ({key}: Setting): boolean => key.startsWith('keys.') && key !== 'keys.vim';

/** `- \`gt\`, \`Ctrl-PageDown\`: the next tab (\`tab_next\`)` */
function keysList(): string {
  const rows = settingsReference().filter(isOfKeys);
  const items = rows.map(({key, default: value, text}) => {
    const keys = value.matchAll(/"([^"]+)"/g).map(([, one]) => `\`${one}\``);
    return `- ${[...keys].join(', ')}: ${text} (\`${key.slice('keys.'.length)}\`)`;
  });
  return items.join('\n');
}

function settingsList(): string {
  const rows = settingsReference().filter((row) => !isOfKeys(row));
  const items = rows.map(({key, takes, default: value, text}) => {
    const preset = value === '' ? '' : ` = \`${value}\``;
    return `- \`${key}\`${preset}: ${text}${takes === '' ? '' : ` (\`${takes}\`)`}`;
  });
  return items.join('\n');
}

interface RuleText {
  readonly policy: string;
  readonly id: string;
  readonly refuses: string;
}

function rulesList(rules: readonly RuleText[]): string {
  const groups = Object.entries(Object.groupBy(rules, ({policy}) => policy));
  return groups
    .map(([policy, group = []]) => {
      const items = group.map(({id, refuses}) => `- \`${id}\`: ${refuses}`);
      return [`**policy/${policy}**`, items.join('\n')].join('\n\n');
    })
    .join('\n\n');
}

if (import.meta.main) {
  for (const page of generatedPages)
    writeFileSync(page, withLists(page, readFileSync(page, 'utf8')));
}
