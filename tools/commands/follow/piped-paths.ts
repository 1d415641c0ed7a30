/** `find … | xargs …`: the paths that are piped, when it is known where they lie. */

import type {Node} from '../grammar/grammar.ts';
import {readProgram} from '../read-program.ts';
import {programs} from '../table/programs.ts';
import type {Scope, Shell} from '../walk/shell.ts';
import {wordOf, type Word} from '../word.ts';
import {expandWords} from '../words/expand.ts';
import type {World} from '../words/world.ts';

/** They pass on some of their input lines. */
const filters: ReadonlySet<string> = new Set('sort uniq head tail grep egrep fgrep rg'.split(' '));

/** For a call of `xargs`: the pattern that all its input paths match; undefined: unknown. */
export async function pathsPiped(
  shell: Shell,
  before: readonly Node[],
  next: Node,
  world: World,
  scope: Scope,
): Promise<Word | undefined> {
  if (next.kind !== 'simple' || next.words[0]?.written !== 'xargs') return undefined;
  const [producer, ...between] = before;
  const isPassed = between.every(
    (node) => node.kind === 'simple' && filters.has(node.words[0]?.written ?? ''),
  );
  if (producer?.kind !== 'simple' || !isPassed) return undefined;
  const {is: words} = await expandWords(producer.words, world, shell.expander(scope));
  const isNull = next.words.some(({written}) => /^(?:-0|--null)$/.test(written));
  if (!isNull) return pathsPrinted(shell, words, world);
  const rest = words.filter(({text}) => !nulls.test(text));
  return rest.length < words.length && between.length === 0
    ? pathsPrinted(shell, rest, world, true)
    : undefined;
}

/** Names are separated by a character that no name contains: `find -print0`, `git ls-files -z`, `grep -lZ`, `rg -l0`. */
const nulls = /^(?:-print0|-z|-Z|-0|--null|--print0)$/;

/** The pattern that all paths printed by a command match, if none of their names is split into words or is an option. */
export async function pathsPrinted(
  shell: Shell,
  words: readonly Word[],
  world: World,
  isNull = false,
): Promise<Word | undefined> {
  if (words.some(({known, pattern}) => !known || pattern)) return undefined;
  const pattern = patternOf(words, world.folder === shell.places.workspace);
  return pattern && (await arePlain(shell, pattern, world, isNull)) ? pattern : undefined;
}

function patternOf(words: readonly Word[], isTop: boolean): Word | undefined {
  const [name, ...args] = words.map(({text}) => text);
  if (name === 'find') return foundBy(words.slice(1));
  if (name === 'grep') return grepped(args);
  const line = [name, ...args].join(' ');
  const lister = listers.find(({form}) => form.test(line));
  if (!lister) return undefined;
  const end = args.indexOf('--');
  const isOpen = args.some(
    (arg, at) => isHidden(arg) || (end < 0 || at < end ? lister.opens.test(arg) : false),
  );
  const isBounded = !isOpen && (isTop || args[0] !== 'diff');
  const isGit = name === 'git';
  const folders = isBounded ? (isGit ? '****' : '***') : '**';
  return {...wordOf(`./${folders}/*${isGit ? endingOf(args) : ''}`), pattern: true};
}

/** They print paths below their starting folder, none of git's own. */
interface Lister {
  readonly form: RegExp;
  /** With such a word it also prints files that git does not know, or that are hidden or ignored. */
  readonly opens: RegExp;
}

const hidden = /^-(?:[a-z]*[ugHI.]|-(?:unrestricted|hidden|no-ignore[\w-]*|i?glob))/;

const listers: readonly Lister[] = [
  {
    form: /^git ls-files(?: |$)/,
    opens: /^-(?:[a-z]*[oik]|-(?:others|ignored|killed|directory|full-name))/,
  },
  {
    form: /^git grep (?:.* )?(?:-[a-zA-Z]*l|--files-with-matches)(?: |$)/,
    opens: /^--(?:untracked|no-index|no-exclude-standard)/,
  },
  // Its paths begin at the top, wherever it starts.
  {form: /^git diff (?:.* )?--name-only(?: |$)/, opens: /^(?:--no-index|(?!diff$|HEAD$|-).*)$/},
  {form: /^git show (?:.* )?--name-only(?: |$)/, opens: /^/},
  {form: /^rg (?:.* )?(?:-[a-zA-Z]*l|--files|--files-with-matches)(?: |$)/, opens: hidden},
  {form: /^fd(?:find)?(?: |$)/, opens: hidden},
];

/** A hidden place, or one outside the workspace. */
function isHidden(arg: string): boolean {
  return /^[/~]|(?:^|\/)\.[^/]/.test(arg);
}

/** `git ls-files '*.ts'` */
function endingOf(args: readonly string[]): string {
  const paths = args.slice(1).filter((arg) => !arg.startsWith('-'));
  return (paths.length === 1 && /^\*(\.\w+)$/.exec(paths[0] ?? '')?.[1]) || '';
}

/** `grep -rl TEXT FOLDER`. */
function grepped(args: readonly string[]): Word | undefined {
  const options = args.filter((arg) => arg.startsWith('-'));
  const [, folder = '.', more] = args.filter((arg) => !arg.startsWith('-'));
  const isPlain = options.every((option) =>
    /^-(?:[EFHIPRilnrsw]+|-(?:include|exclude|exclude-dir)=\S+)$/.test(option),
  );
  const isListing = options.some((option) => /^-[A-Za-z]*l/.test(option));
  if (!isPlain || !isListing || more !== undefined || /[*?[]/.test(folder)) return undefined;
  return {...wordOf(`${folder.replace(/\/+$/, '')}/**/*`), pattern: true};
}

/** The pattern of the paths that `find` passes to a command. */
function foundBy(args: readonly Word[]): Word | undefined {
  const find = programs.get('find');
  if (!find || args.some(({text}) => /^-(?:print0|printf|exec|ok|fls|fprint)/.test(text)))
    return undefined;
  const asked = ['-exec', 'echo', '{}', '+'].map(wordOf);
  const call = {name: 'find', args: [...args, ...asked], env: {}, input: 'inherited' as const};
  const {acts, unknown} = readProgram(find, call);
  const found = acts.find(({role}) => role === 'command')?.rest ?? [];
  return unknown.length === 0 && found.length === 1 ? found[0] : undefined;
}

/** None of the names is an option to a program or is split into words. */
async function arePlain(
  shell: Shell,
  {text}: Word,
  {folder}: World,
  isNull: boolean,
): Promise<boolean> {
  const fixed = text.replace(/[^/]*[*?[].*$/s, '');
  const names = isNull ? ['**/-*'] : ['**/-*', '**/*[ "\'\\\\\t]*'];
  const odd = names.map(async (each) =>
    shell.places.matches(`${fixed}${each}`, folder, {isKept: true}),
  );
  const found = await Promise.all(odd);
  return found.every((each) => each?.length === 0) && !shell.places.makings.hasOptionLike();
}
