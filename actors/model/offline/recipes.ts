/**
 * The requests that the offline model understands. Each recipe has one anchored expression for English and one for Japanese: every
 * word is understood, or nothing is done. Its task is an exact call, or work of several calls.
 */

import {isJapanese, type Language} from '../../../machines/domain/language.ts';
import {append, collectTodos, makeFile, overview, replaceAll, type Use, type Work} from './work.ts';

export interface Recipe extends Readonly<Record<Language, Form>> {
  /** Returns undefined for values with which the request is not understood. */
  readonly task: (values: Values, language: Language) => Use | Work | undefined;
}

/** In the expression, spaces stand for white space, and `{name:slot}` for a named group. */
type Form = readonly [example: string, expression: string];

/** The texts of the named groups; an optional group may be missing. */
type Values = Readonly<Partial<Record<string, string>>>;

const slots: Readonly<Record<string, string>> = {
  file: String.raw`(?:[\p{L}\w.@+-]+/)*(?:[\p{L}\w@+-]*\.[\w.-]*\w|Makefile|Dockerfile|README|LICENSE)`,
  place: String.raw`[\p{L}\w@+*./-]*[\p{L}\w*/]`,
  quoted: '"[^"]*"|“[^”]*”|「[^」]*」|`[^`]*`',
};

export const recipes: readonly Recipe[] = [
  {
    en: [
      'Create a file notes.txt with the content "Hello"',
      '(?:create|write) (?:an? )?(?:new )?(?:file )?{path:file} with(?: the)?(?: content| text)?(?: {text:quoted}|: ?(?<rest>.+))',
    ],
    ja: [
      'notes.txt を「Hello」という内容で作成して',
      '{path:file} を {text:quoted} という内容で 作成して',
    ],
    task: ({path = '', text, rest = ''}, language) => {
      const content = unquoted(text ?? rest).replace(/(?<=[^\n])$/, '\n');
      const write = {tool: 'write_file', args: {path, content, create_dirs: true}};
      return makeFile(path, write, language);
    },
  },
  {
    en: [
      'Append the line "Done." to notes.txt',
      '(?:append|add) (?:the )?(?:line |text )?{text:quoted} to (?:the end of )?{path:file}',
    ],
    ja: ['notes.txt に「完了」を追加して', '{path:file} に {text:quoted} を (?:追加|追記)して'],
    task: ({path = '', text = ''}, language) => append(path, unquoted(text), language),
  },
  {
    en: [
      'Replace "colour" with "color" in docs',
      'replace {from:quoted} (?:with|by) {to:quoted}(?: in (?:the folder )?{scope:place})?',
    ],
    ja: [
      'docs の「colour」を「color」に置き換えて',
      '(?:{scope:place} の )?{from:quoted} を {to:quoted} に 置き換えて',
    ],
    task: ({from = '', to = '', scope}, language) => {
      const [old, text] = [unquoted(from), unquoted(to)];
      const isUnclear = old === '' || old === text || old.includes('\n');
      const place = scope?.includes('*') ? {file_pattern: scope} : scope && {path: scope};
      return isUnclear ? undefined : replaceAll([old, text], place || {}, language);
    },
  },
  {
    en: [
      'Run `npm test`',
      '(?:run|execute) (?<command>`[^`\\n]+`)(?: and report(?: the output)?)?',
    ],
    ja: ['`npm test` を実行して', '(?<command>`[^`\\n]+`) を 実行して'],
    task: ({command = ''}) => runs(unquoted(command)),
  },
  {
    en: ['Delete notes.txt', '(?:delete|remove) (?:the file )?{path:file}'],
    ja: ['notes.txt を削除して', '{path:file} を 削除して'],
    task: ({path = ''}) => runs(`rm -- ${path}`),
  },
  {
    en: [
      'Move notes.txt to docs/notes.txt',
      '(?:move|rename) (?:the file )?{from:file} to {to:file}',
    ],
    ja: ['notes.txt を docs/notes.txt に移動して', '{from:file} を {to:file} に 移動して'],
    task: ({from = '', to = ''}, language) => {
      const folder = to.includes('/') ? `mkdir -p -- ${to.slice(0, to.lastIndexOf('/'))} && ` : '';
      // With `-n`, mv keeps an existing file and reports no error.
      const move = runs(`${folder}mv -n -- ${from} ${to} && test ! -e ${from}`);
      return makeFile(to, move, language);
    },
  },
  {
    en: [
      'Collect all TODO and FIXME comments into TODO.md',
      'collect (?:all )?(?:the )?TODO and FIXME comments (?:in)?to {path:file}',
    ],
    ja: ['TODO と FIXME を TODO.md にまとめて', 'TODO と FIXME を {path:file} に まとめて'],
    task: ({path = ''}, language) => collectTodos(path, language),
  },
  {
    en: [
      'Write an overview of this repository to OVERVIEW.md',
      'write an overview of (?:this|the) repository to {path:file}',
    ],
    ja: [
      'このリポジトリの概要を OVERVIEW.md に書いて',
      'このリポジトリの概要を {path:file} に 書いて',
    ],
    task: ({path = ''}, language) => overview(path, language),
  },
];

/** The only task of the plan for a request: an exact call, or work. */
export function taskFor(request: string): Use | Work | undefined {
  for (const recipe of recipes)
    for (const language of ['en', 'ja'] as const) {
      const found = wholeRequest(recipe[language][1], language).exec(request);
      if (found) return recipe.task(found.groups ?? {}, language);
    }
  return undefined;
}

function wholeRequest(expression: string, language: Language): RegExp {
  const filled = expression.replaceAll(
    /\{(\w+):(\w+)\}/g,
    (_, name: string, slot: string) => `(?<${name}>${slots[slot] ?? ''})`,
  );
  const source =
    language === 'en'
      ? `(?:please )?(?:${filled})[.!]?`.replaceAll(' ', String.raw`\s+`)
      : `(?:${filled})(?:ください)?。?`.replaceAll(' ', String.raw`\s*`);
  return new RegExp(`^${source}$`, 'isu');
}

/** The example of the recipe with the same verb: the first word in English, the last one in Japanese. */
export function nearExample(request: string): string | undefined {
  const language = isJapanese(request) ? 'ja' : 'en';
  const verb = language === 'ja' ? /[^をにで」\s]+?(?=(?:ください)?。?$)/ : /\w+/;
  const verbOf = (text: string): string | undefined => verb.exec(text)?.[0].toLowerCase();
  return recipes
    .map((recipe) => recipe[language][0])
    .find((example) => verbOf(example) === verbOf(request));
}

function runs(command: string): Use {
  return {tool: 'run_command', args: {command}};
}

function unquoted(text: string): string {
  const isQuoted = new RegExp(`^(?:${slots['quoted'] ?? ''})$`).test(text.trim());
  return isQuoted ? text.trim().slice(1, -1) : text;
}
