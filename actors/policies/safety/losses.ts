/** Judges if a change of a place loses work: rules refuse such a change, doubts prevent a judgement. */

import type {Evidence} from '../../../machines/domain/evidence.ts';
import {plain} from '../../../machines/domain/plain-text.ts';
import type {Proposal} from '../../../machines/domain/review.ts';
import {isWithin} from '../../../tools/commands/acts/makings.ts';
import {type Effect, type EffectKind, placeEffects} from '../../../tools/commands/effect.ts';
import type {Understanding} from '../../../tools/commands/understanding.ts';
import type {CommandAnalysis} from '../analysis/analysis.ts';
import {movedBy} from '../analysis/moved.ts';
import {isNamed, pathsIn} from '../bounds.ts';
import {insidePath} from '../inside.ts';

/** Kinds of effects that change the content of a place. */
export const changes: ReadonlySet<EffectKind> = placeEffects.difference(
  new Set<EffectKind>(['reads', 'lists']),
);

/** The paths that this run has written, relative to the workspace. */
export interface Written {
  /** Files that this run has written, new or not. */
  readonly touched: ReadonlySet<string>;
  /** Files that this run made: no action read them before, and no command wrote them, which may have replaced a file. */
  readonly made: ReadonlySet<string>;
  /** Targets to which commands of this run have moved files that tools cannot rebuild. */
  readonly movedTo: readonly string[];
}

export function writtenIn({facts}: Proposal, analysis: CommandAnalysis): Written {
  const runners = new Set(facts.evidence.filter(({did}) => did === 'ran').map(({tool}) => tool));
  const seen = new Set<string>();
  const touched = new Set<string>();
  const made = new Set<string>();
  for (const [at, entry] of facts.evidence.entries()) {
    const path = writtenBy(entry, facts.workspace);
    if (path !== undefined) {
      if (!touched.has(path) && !runners.has(entry.tool) && !isSeen(path, seen)) made.add(path);
      touched.add(path);
    }
    for (const one of readBy(entry, analysis.done[at], facts.workspace)) seen.add(one);
  }
  const commands = analysis.done.flatMap((command) => command?.commands ?? []);
  const movedTo = commands.flatMap((command) => movedBy(command, facts.workspace, made));
  return {touched, made, movedTo};
}

function writtenBy({did, ok, target}: Evidence, workspace: string): string | undefined {
  return did === 'wrote' && ok ? insidePath(target, workspace) : undefined;
}

/** Files and folders, except the workspace itself: a search of the whole workspace does not count as reading a file. */
function readBy(
  {did, target}: Evidence,
  command: Understanding | undefined,
  workspace: string,
): readonly string[] {
  const read = (command?.effects ?? []).filter(({kind}) => kind === 'reads');
  const paths = read.map(({place}) => place?.path);
  const named = did === 'read' ? [insidePath(target, workspace)] : [];
  return [...paths, ...named].filter((path) => path !== undefined).filter((path) => path !== '');
}

function isSeen(path: string, seen: ReadonlySet<string>): boolean {
  return [...seen].some((one) => path === one || path.startsWith(`${one}/`));
}

/** True if no work is lost with the place: it does not exist, can be rebuilt, or was made by this run. */
export function isDisposable({place}: Effect, {touched, made, movedTo}: Written): boolean {
  if (!place?.inside) return false;
  const {path, state} = place;
  // A pattern of a tree is not a path, so the state of its place does not show what it matches.
  if (path.includes('**')) return false;
  if (movedTo.some((to) => isWithin(to, path) || isWithin(path, to))) return false;
  if (state === 'ignored') return true;
  if (state !== 'written') return state === 'absent';
  if (made.has(path)) return true;
  const below = [...touched].filter((one) => one.startsWith(`${path}/`));
  return below.length > 0 && below.every((one) => made.has(one));
}

/** True if the request names the place, as a path or by a separate word. */
export function isNamedIn(request: string, path: string): boolean {
  const text = plain(request);
  const base = path.slice(path.lastIndexOf('/') + 1);
  return (
    isNamed(path, pathsIn(text)) || pathWords(text).some((word) => word === path || word === base)
  );
}

function pathWords(text: string): readonly string[] {
  return text.split(/[\s`"'“”「」,;:()<>|&=]+|\.(?:\s|$)/).filter((word) => word !== '');
}
