/** The interactions of a run: the root, and those below it. */

import {noUsage} from '../../../machines/domain/result.ts';
import {byPlace, depthOf, parentIdOf} from './place.ts';
import type {InteractionView, RunView} from './run-view.ts';

export function interactionIn(
  {interactions}: Pick<RunView, 'interactions'>,
  wanted: string,
): InteractionView | undefined {
  return interactions.find(({id}) => id === wanted);
}

/** For a run without events: a root without a name. */
export function rootOf({interactions}: Pick<RunView, 'interactions'>): InteractionView {
  return interactions[0] ?? newInteraction('');
}

export function isRunning({state}: InteractionView): boolean {
  return state === 'running';
}

/** True for the interaction itself and for all below it. */
export function isWithin(id: string, other: string): boolean {
  return id === other || id.startsWith(`${other}.`);
}

/** Adds an interaction and its ancestors at its first event. */
export function withInteraction(view: RunView, id: string): RunView {
  if (interactionIn(view, id)) return view;
  const parent = parentIdOf(id);
  const {interactions} = parent === undefined ? view : withInteraction(view, parent);
  const more = [...interactions, newInteraction(id)];
  return {...view, interactions: more.toSorted((one, other) => byPlace(one.id, other.id))};
}

export function changeInteraction(
  view: RunView,
  id: string,
  changeOf: (known: InteractionView) => Partial<InteractionView>,
): RunView {
  const interactions = [...withInteraction(view, id).interactions];
  const place = interactions.findIndex((one) => one.id === id);
  const known = interactions[place] ?? newInteraction(id);
  interactions[place] = {...known, ...changeOf(known)};
  return {...view, interactions};
}

function newInteraction(id: string): InteractionView {
  return {
    id,
    form: undefined,
    request: '',
    parent: parentIdOf(id),
    depth: depthOf(id),
    contextMode: undefined,
    by: undefined,
    state: 'running',
    phase: '',
    plan: undefined,
    filled: undefined,
    calls: [],
    talk: undefined,
    summary: '',
    text: '',
    refusals: [],
    spent: noUsage,
  };
}
