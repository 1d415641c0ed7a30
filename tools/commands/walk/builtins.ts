/** What a shell does itself and what changes how the rest of the text is read. What only prints or tests is in the table. */

import {posix} from 'node:path';

import {followSource} from '../follow/follow-file.ts';
import type {Word} from '../word.ts';
import {
  distinct,
  sharedInput,
  known,
  unknownValue,
  valueOf,
  withStatus,
  withVariable,
  type Value,
  type World,
} from '../words/world.ts';
import {bylineOf, deeper, type Call, type Scope, type Shell} from './shell.ts';
import {guarded, isGuarded} from './variables.ts';

type Builtin = (
  shell: Shell,
  call: Call,
  world: World,
  scope: Scope,
) => readonly World[] | Promise<readonly World[]>;

/** Functions don't come before them, and what is set in front of them may stay set. */
export const specialBuiltins: ReadonlySet<string> = new Set(
  '. : break continue eval exec exit export readonly return set shift source trap unset local'.split(
    ' ',
  ),
);

/** What they do to later words can't be followed. */
const opaque =
  'alias unalias enable builtin shopt bind complete compgen compopt declare typeset let mapfile readarray pushd popd dirs fc hash coproc bg fg disown suspend logout';

const entries: Readonly<Record<string, Builtin>> = {
  ':': (_shell, _call, world) => [withStatus(world, 'success')],
  true: (_shell, _call, world) => [withStatus(world, 'success')],
  false: (_shell, _call, world) => [withStatus(world, 'failure')],
  cd: changeFolder,
  set: setOptions,
  shift: shiftOperands,
  unset: unsetNames,
  read: readNames,
  getopts: (shell, {args}, world) =>
    setNames(shell, ['OPTARG', ...args.slice(1, 2).map(({text}) => text)], world),
  eval: evaluate,
  '.': (shell, call, world, scope) => followSource(shell, call, world, scope),
  source: async (shell, call, world, scope) => [
    ...(await followSource(shell, call, world, scope)),
    withStatus(world, 'failure'),
  ],
  exec: execute,
  command: runProgramOnly,
  trap: setTrap,
  exit: leaveShell,
  return: (_shell, call, world, scope) => leap(call, world, scope, 'function'),
  break: (_shell, call, world, scope) => leap(call, world, scope, 'loop'),
  continue: (_shell, call, world, scope) => leap(call, world, scope, 'loop'),
};

export const builtins: ReadonlyMap<string, Builtin> = new Map([
  ...Object.entries(entries),
  ...opaque.split(' ').map((name): [string, Builtin] => [
    name,
    (shell, call, world) => {
      shell.ledger.miss({word: bylineOf(call), why: 'changes what later words mean'});
      return [world];
    },
  ]),
]);

async function changeFolder(
  shell: Shell,
  {args, ...call}: Call,
  world: World,
): Promise<readonly World[]> {
  const goals = await goalsOf(shell, args, world);
  const failed = withStatus(world, 'failure');
  if (!goals || world.variables.has('CDPATH')) {
    shell.ledger.miss({word: bylineOf({...call, args}), why: 'the folder it goes to is not known'});
    return [withStatus({...world, folder: undefined}, 'success'), failed];
  }
  if (goals.length === 0) return [failed];
  const worlds = await Promise.all(goals.map(async (goal) => enter(shell, goal, world)));
  return distinct(worlds.flat());
}

async function enter(shell: Shell, text: string, world: World): Promise<readonly World[]> {
  const failed = withStatus(world, 'failure');
  const folder = joined(world.folder, text);
  const moved = withStatus({...world, folder}, 'success');
  if (folder === undefined) return [moved, failed];
  const place = await shell.places.look(folder, undefined, {isKept: true});
  const {makings} = shell.places;
  if (makings.isOpaque(place.path)) {
    shell.ledger.miss({word: text, why: 'may be a link that this command makes'});
  }
  const isSure = place.isFolder && !makings.touches(place);
  return isSure ? [moved] : [moved, failed];
}

/** More of them than worlds that can be told apart are none that is known. */
const mostGoals = 6;

/** The folders that `cd` may mean, or the home folder; undefined: not known. */
async function goalsOf(
  shell: Shell,
  args: readonly Word[],
  {variables, folder}: World,
): Promise<readonly string[] | undefined> {
  const [goal, more] = args.filter(({text}) => !/^-[LP-]$/.test(text));
  const word = goal ?? variables.get('HOME');
  if (more || !word?.known || /^-|^$/.test(word.text)) return undefined;
  if (!word.pattern) return [word.text];
  const found = await shell.places.matches(word.text, folder);
  const {workspace} = shell.places;
  if (found === undefined || found === 'many' || found.length > mostGoals) return undefined;
  return found.map((path) => posix.resolve(workspace, path));
}

/** As `cd` goes: by the texts. */
function joined(folder: string | undefined, path: string): string | undefined {
  if (folder === undefined && !path.startsWith('/')) return undefined;
  return posix.resolve(folder ?? '/', path);
}

const harmlessOptions = new Set(
  'errexit nounset xtrace pipefail noglob verbose noclobber allexport monitor noexec errtrace functrace'.split(
    ' ',
  ),
);

function setOptions(shell: Shell, {args, ...call}: Call, world: World): readonly World[] {
  if (args.length === 0) {
    shell.ledger.add({
      kind: 'reveals',
      target: 'variables of the environment',
      by: bylineOf({...call, args}),
    });
  }
  const ends = args.findIndex(({text}) => text === '--');
  const options = ends < 0 ? args : args.slice(0, ends);
  const first = options.findIndex(
    ({text}, at) => !/^[-+]/.test(text) && !/^[-+][a-z]*o$/.test(options[at - 1]?.text ?? ''),
  );
  const operands = ends >= 0 ? args.slice(ends + 1) : first < 0 ? undefined : options.slice(first);
  const flags = ends >= 0 || first < 0 ? options : options.slice(0, first);
  const isHarmless = flags.every(
    ({text, known: isKnown, pattern}) =>
      isKnown && !pattern && (/^[-+][euxfvnCamhET]*o?$/.test(text) || harmlessOptions.has(text)),
  );
  if (!isHarmless)
    shell.ledger.miss({word: bylineOf({...call, args}), why: 'changes how the shell reads'});
  if (!operands) return [world];
  const isPlain = operands.every(
    ({known: isKnown, quoted, pattern}) => (isKnown || quoted) && !pattern,
  );
  return [{...world, operands: isPlain ? operands.map(valueOf) : undefined}];
}

function shiftOperands(_shell: Shell, {args}: Call, world: World): readonly World[] {
  const [count] = args;
  const isPlain = !count || (count.known && /^\d+$/.test(count.text));
  const operands = isPlain ? world.operands?.slice(count ? Number(count.text) : 1) : undefined;
  return [{...world, operands}];
}

function unsetNames(shell: Shell, {args, ...call}: Call, world: World): readonly World[] {
  const option = args[0]?.text.startsWith('-') ? args[0].text : '-v';
  const names = args.filter(({text}) => text !== option).map(({text}) => text);
  const isPlain = args.every(({known: isKnown, pattern}) => isKnown && !pattern);
  if (!isPlain || !/^-[vf]$/.test(option) || !names.every((name) => /^[A-Za-z_]\w*$/.test(name))) {
    shell.ledger.miss({word: bylineOf({...call, args}), why: 'unsets what is not known'});
    return [world];
  }
  if (option === '-v') return [names.reduce(withoutVariable, world)];
  const functions = [...world.functions].filter(([name]) => !names.includes(name));
  return [{...world, functions: new Map(functions)}];
}

function withoutVariable(world: World, name: string): World {
  if (name !== 'IFS') return withVariable(world, name, known(''));
  return {...world, variables: new Map([...world.variables].filter(([each]) => each !== name))};
}

function readNames(shell: Shell, {args, ...call}: Call, world: World): readonly World[] {
  const names = args.filter(({text}) => text !== '-r');
  if (names.some(({text, known: isKnown}) => !isKnown || !/^[A-Za-z_]\w*$/.test(text))) {
    shell.ledger.miss({word: bylineOf({...call, args}), why: 'reads into what is not known'});
  }
  return setNames(shell, names.length === 0 ? ['REPLY'] : names.map(({text}) => text), world);
}

function setNames(shell: Shell, names: readonly string[], world: World): readonly World[] {
  for (const name of names) if (isGuarded(name)) shell.ledger.miss(guarded(name));
  return [
    names.reduce((after, name) => withVariable(after, name, unknownValue(`$${name}`)), world),
  ];
}

async function evaluate(
  shell: Shell,
  call: Call,
  world: World,
  scope: Scope,
): Promise<readonly World[]> {
  const {args} = call;
  if (args.every(({known: isKnown, pattern}) => isKnown && !pattern)) {
    const text = args.map((word) => word.text).join(' ');
    return shell.runText(text, bylineOf(call), world, deeper(scope));
  }
  shell.ledger.miss({word: bylineOf(call), why: 'runs a computed text'});
  return [world];
}

async function execute(
  shell: Shell,
  call: Call,
  world: World,
  scope: Scope,
): Promise<readonly World[]> {
  const [name, ...args] = call.args;
  const input = sharedInput(call.input, world);
  if (!name) return [{...world, input}];
  if (name.text.startsWith('-'))
    shell.ledger.miss({word: bylineOf(call), why: 'has options that are not known'});
  else await shell.runCall({...call, name, args, isProgram: true}, world, deeper(scope));
  return [world];
}

async function runProgramOnly(
  shell: Shell,
  call: Call,
  world: World,
  scope: Scope,
): Promise<readonly World[]> {
  const [name, ...args] = call.args;
  if (name?.known && /^-[vV]$/.test(name.text)) return [world];
  if (!name || name.text.startsWith('-')) {
    shell.ledger.miss({word: bylineOf(call), why: 'has options that are not known'});
    return [world];
  }
  return shell.runCall({...call, name, args, isProgram: true}, world, deeper(scope));
}

/** It runs some time later, in a world that is not known. */
async function setTrap(
  shell: Shell,
  call: Call,
  world: World,
  scope: Scope,
): Promise<readonly World[]> {
  const [text] = call.args;
  if (!text || (text.known && /^(?:-[lp]?|\d+|)$/.test(text.text))) return [world];
  if (!text.known || text.text.startsWith('-')) {
    shell.ledger.miss({word: bylineOf(call), why: 'runs a computed text'});
    return [world];
  }
  const variables = new Map(
    [...world.variables].map(([name, value]): [string, Value] => [
      name,
      name === 'HOME' ? value : unknownValue(`$${name}`),
    ]),
  );
  const later = {...world, variables, folder: undefined, operands: undefined};
  await shell.runText(text.text, bylineOf(call), later, {...deeper(scope), frames: []});
  return [world];
}

function leaveShell(_shell: Shell, {args, redirects}: Call, world: World): readonly World[] {
  const [code, more] = args;
  const isSure =
    !more && redirects.length === 0 && (!code || (code.known && /^\d{1,3}$/.test(code.text)));
  return isSure ? [] : [world];
}

/** To where the loop or the function goes on, in whichever of those around it that is. */
function leap(
  {args, redirects}: Call,
  world: World,
  {frames}: Scope,
  kind: 'loop' | 'function',
): readonly World[] {
  for (const frame of frames) frame.leaps.push(withStatus(world, 'any'));
  const [count, more] = args;
  const isPlain =
    !more && redirects.length === 0 && (!count || (count.known && /^\d{1,3}$/.test(count.text)));
  const isSure =
    isPlain &&
    (kind === 'loop'
      ? frames.at(-1)?.kind === 'loop'
      : frames.some((frame) => frame.kind === 'function'));
  return isSure ? [] : [world];
}
