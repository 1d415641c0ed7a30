/** `cd`: the folder to which a shell changes, if it is known. */

import {posix} from 'node:path';

import {relativeTo} from '../acts/places.ts';
import {wordOf, type Word} from '../word.ts';
import {
  distinct,
  known,
  unknownValue,
  withStatus,
  withVariable,
  type World,
} from '../words/world.ts';
import {bylineOf, type Call, type Shell} from './shell.ts';

export async function changeFolder(
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
  const {isPhysical} = optionsOf(args);
  const worlds = await Promise.all(
    goals.map(async (goal) => enter(shell, {goal, isPhysical}, world)),
  );
  return distinct(worlds.flat());
}

/** No variable of a shell can have this name. */
const stack = 'folders of pushd';

/** `pushd FOLDER`; without a folder or with options it is not followed. */
export async function pushFolder(
  shell: Shell,
  call: Call,
  world: World,
): Promise<readonly World[]> {
  const [goal, more] = call.args;
  const isPlain = goal?.known && !more && !/^[-+]/.test(goal.text) && world.folder !== undefined;
  if (!isPlain) return missFolder(shell, call, world);
  const kept = world.variables.get(stack)?.text;
  const folders = [world.folder, ...(kept === undefined ? [] : [kept])].join('\n');
  const after = await changeFolder(shell, call, world);
  return after.map((each) =>
    each.status === 'success' ? withVariable(each, stack, known(folders)) : each,
  );
}

/** Returns to the folder before the last `pushd` of this text. */
export async function popFolder(shell: Shell, call: Call, world: World): Promise<readonly World[]> {
  const kept = world.variables.get(stack);
  const [last = '', ...rest] = kept?.known ? kept.text.split('\n') : [];
  if (call.args.length > 0 || last === '') return missFolder(shell, call, world);
  const after = await changeFolder(shell, {...call, args: [wordOf(last)]}, world);
  return after.map((each) => withVariable(each, stack, known(rest.join('\n'))));
}

function missFolder(shell: Shell, call: Call, world: World): readonly World[] {
  shell.ledger.miss({word: bylineOf(call), why: 'the folder it goes to is not known'});
  return [{...world, folder: undefined, status: 'any'}];
}

interface Entered {
  readonly goal: string;
  /** Links are resolved before `..`. */
  readonly isPhysical: boolean;
}

async function enter(
  shell: Shell,
  {goal: text, isPhysical}: Entered,
  world: World,
): Promise<readonly World[]> {
  const failed = withStatus(world, 'failure');
  const folder = isPhysical
    ? await shell.places.realFolder(text, world.folder)
    : joinedFolder(world.folder, text);
  const left = world.folder === undefined ? unknownValue('$OLDPWD') : known(world.folder);
  const moved = withStatus(withVariable({...world, folder}, 'OLDPWD', left), 'success');
  if (folder === undefined) return [moved, failed];
  const place = await shell.places.look(folder, undefined, {isKept: true});
  const {makings} = shell.places;
  if (makings.isOpaque(place)) {
    shell.ledger.miss({word: text, why: 'may be a link that this command makes'});
  }
  if (!place.inside && !relativeTo(shell.places.workspace, folder).startsWith('/')) {
    shell.ledger.miss({word: text, why: 'leads out of the workspace'});
  }
  const isSure = place.isFolder && !makings.touches(place);
  return isSure ? [moved] : [moved, failed];
}

/** With more folders than worlds that are kept apart, none is known. */
const mostGoals = 6;

/** The folders that `cd` may mean, or the home folder; undefined: unknown. */
async function goalsOf(
  shell: Shell,
  args: readonly Word[],
  {variables, folder}: World,
): Promise<readonly string[] | undefined> {
  const [goal, more] = optionsOf(args).operands;
  const word = goalOf(goal, variables);
  if (more || !word?.known || /^-|^$/.test(word.text)) return undefined;
  return word.pattern ? goalsFor(shell, word.text, folder) : [word.text];
}

async function goalsFor(
  shell: Shell,
  pattern: string,
  folder: string | undefined,
): Promise<readonly string[] | undefined> {
  if (await isThroughLink(shell, pattern, folder)) return undefined;
  const found = await shell.places.matches(pattern, folder);
  const {workspace} = shell.places;
  if (found === undefined || found === 'many' || found.length > mostGoals) return undefined;
  return found.map((path) => posix.resolve(workspace, path));
}

/** `cd -` returns to the previous folder, `cd` goes to the home folder. */
function goalOf(
  goal: Word | undefined,
  variables: World['variables'],
): Pick<Word, 'text' | 'known' | 'pattern'> | undefined {
  if (!goal) return variables.get('HOME');
  return goal.text === '-' ? variables.get('OLDPWD') : goal;
}

/** A pattern resolves to real paths, but `cd` keeps the logical path through a link. */
async function isThroughLink(
  shell: Shell,
  pattern: string,
  folder: string | undefined,
): Promise<boolean> {
  const start = joinedFolder(folder, pattern.replace(/[^/]*[*?[].*$/s, '') || '.');
  if (start === undefined) return true;
  const {links} = await shell.places.look(start, undefined, {isKept: true});
  return links !== undefined;
}

interface Options {
  readonly operands: readonly Word[];
  readonly isPhysical: boolean;
}

/** The last of `-L` and `-P` applies. */
function optionsOf(args: readonly Word[]): Options {
  const end = args.findIndex(({text}) => !/^-[LP]+$/.test(text));
  const at = end < 0 ? args.length : end;
  const isPhysical = args[at - 1]?.text.endsWith('P') ?? false;
  return {operands: args.slice(args[at]?.text === '--' ? at + 1 : at), isPhysical};
}

/** Joins the texts, as `cd` does. */
function joinedFolder(folder: string | undefined, path: string): string | undefined {
  if (folder === undefined && !path.startsWith('/')) return undefined;
  return posix.resolve(folder ?? '/', path);
}
