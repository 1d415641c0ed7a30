/** `cd`: where a shell goes, as far as that is known. */

import {posix} from 'node:path';

import {relativeTo} from '../acts/places.ts';
import type {Word} from '../word.ts';
import {distinct, withStatus, type World} from '../words/world.ts';
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
  if (!place.inside && !relativeTo(shell.places.workspace, folder).startsWith('/')) {
    shell.ledger.miss({word: text, why: 'leads out of the workspace'});
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
