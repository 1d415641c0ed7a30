/** `find … | xargs …`: what is piped is paths, of which it is known where they lie. */

import type {Node} from '../grammar/grammar.ts';
import {programs} from '../programs/index.ts';
import {readProgram} from '../read-program.ts';
import type {Scope, Shell} from '../walk/shell.ts';
import {wordOf, type Word} from '../word.ts';
import {expandWords} from '../words/expand.ts';
import type {World} from '../words/world.ts';

/** They pass on some of the lines that they get. */
const filters: ReadonlySet<string> = new Set('sort uniq head tail grep egrep fgrep rg'.split(' '));

/** Before a call of `xargs`: the pattern that all paths which it gets match; undefined: not known. */
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
  return pathsPrinted(shell, words, world);
}

/** The pattern that all paths match which a command prints, where none of their names falls apart or is an option. */
export async function pathsPrinted(
  shell: Shell,
  words: readonly Word[],
  world: World,
): Promise<Word | undefined> {
  if (words.some(({known, pattern}) => !known || pattern)) return undefined;
  const pattern = patternOf(words);
  return pattern && (await arePlain(shell, pattern, world)) ? pattern : undefined;
}

function patternOf(words: readonly Word[]): Word | undefined {
  const [name, ...args] = words.map(({text}) => text);
  if (name === 'find') return foundBy(words.slice(1));
  if (name === 'grep') return grepped(args);
  const isLister = listers.test([name, ...args].join(' '));
  return isLister ? {...wordOf('./***/*'), pattern: true} : undefined;
}

/** They print paths below the folder that they start in, none of git's own. */
const listers =
  /^(?:git ls-files|git (?:diff|show) (?:.* )?--name-only|git grep (?:.* )?(?:-l|--files-with-matches)|rg (?:.* )?(?:-l|--files|--files-with-matches))(?: |$)/;

/** `grep -rl TEXT FOLDER`. */
function grepped(args: readonly string[]): Word | undefined {
  const options = args.filter((arg) => arg.startsWith('-'));
  const [, folder = '.', more] = args.filter((arg) => !arg.startsWith('-'));
  const isPlain = options.every((option) =>
    /^-(?:[EFHIPRilrsw]+|-(?:include|exclude|exclude-dir)=\S+)$/.test(option),
  );
  const isListing = options.some((option) => /^-[A-Za-z]*l/.test(option));
  if (!isPlain || !isListing || more !== undefined || /[*?[]/.test(folder)) return undefined;
  return {...wordOf(`${folder.replace(/\/+$/, '')}/**/*`), pattern: true};
}

/** What `find` would hand to a command. */
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

/** No name among them is an option to someone, or falls apart. */
async function arePlain(shell: Shell, {text}: Word, {folder}: World): Promise<boolean> {
  const fixed = text.replace(/[^/]*[*?[].*$/s, '');
  const odd = ['**/-*', '**/*[ "\'\\\\\t]*'].map(async (names) =>
    shell.places.matches(`${fixed}${names}`, folder, {isKept: true}),
  );
  const found = await Promise.all(odd);
  return found.every((each) => each?.length === 0) && !shell.places.makings.hasOptionLike();
}
