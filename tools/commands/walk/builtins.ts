/** Builtins that act on the shell itself or on how the rest of the text is read. Builtins that only print or test are in the table. */

import {followSource} from '../follow/follow-file.ts';
import {programs} from '../table/programs.ts';
import type {Word} from '../word.ts';
import {sharedInput, withStatus, type World} from '../words/world.ts';
import {leap, leaveShell, setTrap} from './builtin-flow.ts';
import {changeFolder, popFolder, pushFolder} from './builtin-folder.ts';
import {readNames, setNames, setOptions, shiftOperands, unsetNames} from './builtin-settings.ts';
import {bylineOf, deeper, type Call, type Scope, type Shell} from './shell.ts';

type Builtin = (
  shell: Shell,
  call: Call,
  world: World,
  scope: Scope,
) => readonly World[] | Promise<readonly World[]>;

/** Functions do not override these, and a variable set in front of them may stay set. */
export const specialBuiltins: ReadonlySet<string> = new Set(
  '. : break continue eval exec exit export readonly return set shift source trap unset local'.split(
    ' ',
  ),
);

/** Their effect on later words can't be followed; for the last three, if their name is not written out. */
const opaque =
  'unalias enable builtin shopt bind complete compgen compopt declare typeset let mapfile readarray dirs fc hash coproc bg fg disown suspend logout export readonly local';

const entries: Readonly<Record<string, Builtin>> = {
  ':': (_shell, _call, world) => [withStatus(world, 'success')],
  true: (_shell, _call, world) => [withStatus(world, 'success')],
  false: (_shell, _call, world) => [withStatus(world, 'failure')],
  cd: changeFolder,
  pushd: pushFolder,
  popd: popFolder,
  alias: setAliases,
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

/** Some shells apply them to later lines: an alias with a name that nothing else has changes nothing there. */
function setAliases(shell: Shell, call: Call, world: World): readonly World[] {
  const isNew = ({text, known: isKnown, pattern}: Word): boolean => {
    const name = /^([A-Za-z]\w*)=/.exec(text)?.[1];
    if (!isKnown || pattern || name === undefined) return false;
    return (
      !programs.has(name) &&
      !builtins.has(name) &&
      !reserved.test(name) &&
      !world.functions.has(name)
    );
  };
  if (!call.args.every(isNew)) {
    shell.ledger.miss({word: bylineOf(call), why: 'changes what later words mean'});
  }
  return [withStatus(world, 'success')];
}

const reserved =
  /^(?:if|then|else|elif|fi|case|esac|for|select|while|until|do|done|in|function|time|coproc)$/;

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
  if (call.args.length === 0) return [{...world, input: sharedInput(call.input, world)}];
  await runNamed(shell, call, world, scope);
  return [world];
}

async function runProgramOnly(
  shell: Shell,
  call: Call,
  world: World,
  scope: Scope,
): Promise<readonly World[]> {
  const [name] = call.args;
  return name?.known && /^-[vV]$/.test(name.text) ? [world] : runNamed(shell, call, world, scope);
}

/** Its operands are the call of a program. */
async function runNamed(
  shell: Shell,
  call: Call,
  world: World,
  scope: Scope,
): Promise<readonly World[]> {
  const [name, ...args] = call.args;
  if (!name || name.text.startsWith('-')) {
    shell.ledger.miss({word: bylineOf(call), why: 'has options that are not known'});
    return [world];
  }
  return shell.runCall({...call, name, args, isProgram: true}, world, deeper(scope));
}
