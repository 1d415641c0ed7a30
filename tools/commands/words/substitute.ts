/** The value of `$(…)`, if it is plain. */

import {posix} from 'node:path';

import {pathsPrinted} from '../follow/piped-paths.ts';
import type {Script, Simple} from '../grammar/grammar.ts';
import {enclosed, type Scope, type Shell} from '../walk/shell.ts';
import type {Word} from '../word.ts';
import {expandText, expandWords, type Expander} from './expand.ts';
import {known, someNumber, valueOf, type Value, type World} from './world.ts';

export function createExpander(shell: Shell, scope: Scope, by?: string): Expander {
  const expander: Expander = {
    miss: shell.ledger.miss,
    reveal: (name) => {
      if (by === undefined) return;
      shell.ledger.add({kind: 'reveals', target: name, by: by.slice(0, 160)});
    },
    substitute: async (script, world) => {
      await shell.run(script, [{...world, status: 'any'}], enclosed(scope));
      if (isCount(script) && !world.functions.has('wc')) return someNumber('$(…)');
      const simple = onlySimple(script);
      if (simple && (await printsOwnProcess(shell, simple, world, expander))) return ownProcess;
      return simple && plainOutput(shell, simple, world, expander);
    },
  };
  return expander;
}

/** The number of a process that this text has started. */
const ownProcess = someNumber('$!');

/** `cat pid`, if this text has written `$!`, and nothing else, to the file. */
async function printsOwnProcess(
  shell: Shell,
  {words, redirects}: Simple,
  world: World,
  expander: Expander,
): Promise<boolean> {
  if (words.length !== 2 || redirects.length > 0) return false;
  const [name, file] = (await expandWords(words, world, expander)).is;
  if (name?.text !== 'cat' || !file?.known || file.pattern || world.functions.has('cat'))
    return false;
  const place = await shell.places.look(file.text, world.folder);
  const changes = shell.ledger
    .effects()
    .filter(
      (effect) => effect.place?.path === place.path && !/^(?:reads|lists)$/.test(effect.kind),
    );
  return changes.length > 0 && changes.every(({kind, by}) => kind === 'writes' && toFile.test(by));
}

const toFile = /^echo "?\$!"? *>[^>&|;<$`]+$/;

/** `… | wc -l`, `wc -l < file`. */
function isCount([only, more]: Script): boolean {
  const node = only?.node.kind === 'pipe' ? only.node.nodes.at(-1) : only?.node;
  return !more && node?.kind === 'simple' && /^wc -[clmw](?: *<[^<>&|;()]*)?$/.test(node.text);
}

function onlySimple(script: Script): Simple | undefined {
  const [only, more] = script;
  if (!only || more || only.isBackground || only.node.kind !== 'simple') return undefined;
  return only.node.assignments.length === 0 ? only.node : undefined;
}

async function plainOutput(
  shell: Shell,
  simple: Simple,
  world: World,
  expander: Expander,
): Promise<Value | undefined> {
  const {is: words} = await expandWords(simple.words, world, expander);
  const [name, ...args] = words;
  if (!name || world.functions.has(name.text)) return undefined;
  if (words.some((word) => !word.known || word.pattern)) return undefined;
  const texts = args.map(({text}) => text);
  if (isDocument(simple, name, args)) return documentOf(simple, world, expander);
  const isApart = simple.redirects.every(
    ({descriptor, target}) => descriptor === 2 && target.written === '/dev/null',
  );
  if (!isApart) return undefined;
  const printed = printers[name.text]?.(texts, world) ?? numberOf([name.text, ...texts].join(' '));
  if (printed) return printed;
  const paths = await pathsPrinted(shell, words, world);
  return paths && valueOf(paths);
}

/** `cat <<EOF` with no other input. */
function isDocument({redirects}: Simple, {text}: Word, args: readonly Word[]): boolean {
  return (
    text === 'cat' &&
    args.length === 0 &&
    redirects.length === 1 &&
    redirects[0]?.operator === 'here'
  );
}

async function documentOf(
  {redirects}: Simple,
  world: World,
  expander: Expander,
): Promise<Value | undefined> {
  const [here] = redirects;
  const text = here && (await expandText(here.target, world, expander)).is;
  return text?.known ? known(text.text.replace(/\n+$/, '')) : undefined;
}

type Printer = (args: readonly string[], world: World) => Value | undefined;

const printers: Readonly<Record<string, Printer>> = {
  pwd: ({length}, {folder}) => (length === 0 && folder !== undefined ? known(folder) : undefined),
  echo: (args) => (args.some((arg) => /\\|^-/.test(arg)) ? undefined : known(args.join(' '))),
  dirname: (args) => ofPath(args, 1, (path) => posix.dirname(path)),
  basename: (args) => ofPath(args, 2, (path, end) => posix.basename(path, end)),
};

function ofPath(
  args: readonly string[],
  most: number,
  part: (path: string, end?: string) => string,
): Value | undefined {
  const [path, end] = args;
  const isPlain =
    path !== undefined && args.length <= most && !args.some((arg) => arg.startsWith('-'));
  return isPlain ? known(part(path, end)) : undefined;
}

const counters =
  /^(?:nproc|date \+%[sYmdHMSjy]+|id -[ug]|sysctl -n hw\.n?cpu|getconf _NPROCESSORS_ONLN)$/;

function numberOf(line: string): Value | undefined {
  return counters.test(line) ? someNumber(`$(${line})`) : undefined;
}
