/** The view of one person: several runs, numbered from 1 in the order in which they began. */

import type {ProgressEvent} from '../../../machines/facts/progress.ts';
import {rootIdOf} from '../../../machines/tree/path.ts';
import {advance} from './fold.ts';
import {interactionIn, rootOf, withInteraction} from './interactions.ts';
import {placeInRun} from './place.ts';
import {emptyView, type RunView} from './run-view.ts';

export interface SessionView {
  readonly runs: readonly RunView[];
}

export const emptySession: SessionView = {runs: []};

/** Reserves the next number for a run, also before its first event. A run with a number keeps it. */
export function withRun(session: SessionView, id: string): SessionView {
  if (runOf(session, id)) return session;
  return {runs: [...session.runs, withInteraction(emptyView, rootIdOf(id))]};
}

/** Folds an event of any of the runs; an unknown run gets the next number. */
export function advanceSession(session: SessionView, event: ProgressEvent): SessionView {
  const {runs} = withRun(session, event.interaction);
  const place = indexOf(runs, event.interaction);
  return {runs: runs.map((run, index) => (index === place ? advance(run, event) : run))};
}

/** The run that an interaction belongs to. */
export function runOf({runs}: SessionView, id: string): RunView | undefined {
  return runs[indexOf(runs, id)];
}

/** `3` for the third run, `3.1.2` for the second interaction below its first one; empty for one of an unknown run. */
export function placeOf({runs}: SessionView, id: string): string {
  const index = indexOf(runs, id);
  if (index < 0) return '';
  const place = placeInRun(id);
  return place === '' ? `${index + 1}` : `${index + 1}.${place}`;
}

/** The id of the interaction at a place, as a person writes it; undefined without one. */
export function findPlace({runs}: SessionView, place: string): string | undefined {
  const [number = '', ...below] = place.split('.');
  const run = /^[1-9]\d*$/.test(number) ? runs[Number(number) - 1] : undefined;
  if (!run) return undefined;
  return interactionIn(run, [rootOf(run).id, ...below].join('.'))?.id;
}

function indexOf(runs: readonly RunView[], id: string): number {
  return runs.findIndex((run) => rootOf(run).id === rootIdOf(id));
}
