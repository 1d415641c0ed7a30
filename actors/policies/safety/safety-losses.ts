/** Losses that undo cannot restore: policy/safety cannot judge them, confined or not. */

import {isWithin} from '../../../tools/commands/acts/makings.ts';
import type {
  Effect,
  EffectKind,
  Place,
  PlaceState,
  Unknown,
} from '../../../tools/commands/effect.ts';
import type {Unkept} from '../../../tools/run/snapshot/entry.ts';
import type {PolicyInput} from '../rule.ts';
import {isNamedIn} from './losses.ts';

/** Kinds of effects that lose content, and the verbs for them. */
const losing: Readonly<Partial<Record<EffectKind, string>>> = {
  deletes: 'deletes',
  writes: 'replaces',
  empties: 'empties',
  edits: 'changes',
};

/** States without a loss: nothing exists, git has the content, it can be rebuilt, or this run changed it. */
const replaceable: ReadonlySet<PlaceState> = new Set(['absent', 'clean', 'ignored', 'written']);

export function lossesForGood({proposal, analysis, calls}: PolicyInput): Unknown[] {
  if (proposal.kind === 'result' || analysis.unkept.length === 0) return [];
  const {request} = proposal.facts;
  return calls
    .flatMap(({command}) => command?.effects ?? [])
    .filter((effect) => !isNamedChange(effect, request))
    .flatMap((effect) => lossOf(effect, analysis.unkept));
}

/** True for a change, not a deletion, of a single file that the request names. */
function isNamedChange({kind, wide, place}: Effect, request: string): boolean {
  return kind !== 'deletes' && !wide && place !== undefined && isNamedIn(request, place.path);
}

function lossOf({kind, place, target, by}: Effect, unkept: readonly Unkept[]): Unknown[] {
  const verb = losing[kind];
  if (verb === undefined || !place?.inside || replaceable.has(place.state)) return [];
  const lost = unkept.find((each) => isTouched(each, place));
  if (!lost) return [];
  const why = `it ${verb} ${target || 'the workspace'}; undo can't bring back ${lost.path}, which ${lost.why}`;
  return [{word: by, why, evenConfined: true}];
}

function isTouched({path}: Unkept, place: Place): boolean {
  return isWithin(path, place.path) || isWithin(place.path, path);
}
