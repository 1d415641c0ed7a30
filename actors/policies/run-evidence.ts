/** Actions that were done so far, from the facts of tools and the analysis of commands. */

import type {Evidence} from '../../machines/domain/evidence.ts';
import type {Effect, EffectKind} from '../../tools/commands/effect.ts';
import {changes} from '../../tools/commands/effect.ts';
import type {Understanding} from '../../tools/commands/understanding.ts';
import {insidePath} from './inside.ts';
import type {PolicyInput} from './rule.ts';

export interface Deed {
  readonly entry: Evidence;
  /** The analysis of a command that ran. */
  readonly command: Understanding | undefined;
}

export function deedsIn({proposal, analysis}: PolicyInput): readonly Deed[] {
  return proposal.facts.evidence.map((entry, at) => ({entry, command: analysis.done[at]}));
}

/** True if a successful action has read the file, searched a folder above it, or written it. */
export function hasRead(input: PolicyInput, path: string): boolean {
  const {workspace} = input.proposal.facts;
  return deedsIn(input).some(({entry, command}) => {
    if (!entry.ok) return false;
    if (command) return command.effects.some((effect) => showsFile(effect, path));
    if (entry.did === 'ran' || entry.did === 'spawned') return false;
    const target = insidePath(entry.target, workspace);
    if (target === path) return true;
    return entry.did === 'read' && isBelow(path, target);
  });
}

function showsFile({kind, place, wide}: Effect, path: string): boolean {
  if (!place?.inside || (kind !== 'reads' && !changes.has(kind))) return false;
  return place.path === path || (kind === 'reads' && wide === true && isBelow(path, place.path));
}

/** False for the workspace itself: a search of the whole workspace does not count as reading a file. */
function isBelow(path: string, folder: string | undefined): boolean {
  return folder !== undefined && folder !== '' && path.startsWith(`${folder}/`);
}

/** True if a successful action has written the file that a text names by its path or the end of it. */
export function hasWritten(input: PolicyInput, name: string): boolean {
  const {workspace} = input.proposal.facts;
  const claimed = insidePath(name, workspace) ?? name;
  const isIt = (path: string) => path === claimed || path.endsWith(`/${claimed}`);
  return deedsIn(input).some(({entry, command}) => {
    if (!entry.ok) return false;
    if (entry.did === 'wrote') return isIt(insidePath(entry.target, workspace) ?? entry.target);
    return (command?.effects ?? []).some(
      ({kind, place, wide}) =>
        changes.has(kind) &&
        place !== undefined &&
        (isIt(place.path) || (wide === true && isBelow(claimed, place.path))),
    );
  });
}

const removals: ReadonlySet<EffectKind> = new Set(['deletes', 'moves']);

/** True if a successful action has deleted or moved the file that a text names. */
export function hasDeleted(input: PolicyInput, name: string): boolean {
  const claimed = insidePath(name, input.proposal.facts.workspace) ?? name;
  return deedsIn(input).some(
    ({entry, command}) =>
      entry.ok &&
      (command?.effects ?? []).some(
        ({kind, place}) =>
          removals.has(kind) &&
          place !== undefined &&
          (place.path === claimed ||
            place.path.endsWith(`/${claimed}`) ||
            isBelow(claimed, place.path)),
      ),
  );
}

/** Kinds of effects that may delete files without naming them. */
const mayRemove: ReadonlySet<EffectKind> = new Set(['discards', 'runs', 'alters', 'installs']);

/** True if the file does not exist, and a successful action may have deleted it. */
export function mayHaveDeleted(input: PolicyInput, name: string): boolean {
  const place = input.analysis.claimed[name];
  if (place && place.state !== 'absent') return false;
  return deedsIn(input).some(({entry, command}) => {
    if (!entry.ok || entry.did === 'read') return false;
    if (entry.did === 'wrote') return entry.target.endsWith(name);
    if (!command) return true;
    return (
      command.unknown.length > 0 ||
      command.effects.some(({kind, wide}) => mayRemove.has(kind) || (removals.has(kind) && wide)) ||
      command.commands.some(
        ({args, text}) => /\b(?:rm|mv|find|git)\b/.test(text) && args.some(({pattern}) => pattern),
      )
    );
  });
}
