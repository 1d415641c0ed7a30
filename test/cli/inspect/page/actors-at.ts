/** Moments for tests of the inspector's page. */

import {Moments, type Moment} from '../../../../machines/trace/moments.ts';
import type {ActorState, EffectRequest, Message, Step} from '../../../../machines/trace/step.ts';

export type Started = Partial<ActorState> & {readonly path: string};

/** An actor with a machine unless it says otherwise. */
export function started(some: Started): ActorState {
  return {machine: 'm', logic: 'm', status: 'active', state: 'working', context: {}, ...some};
}

export function effectOf(path: string, parent: string): ActorState {
  return {path, parent, logic: 'callModel', status: 'active', state: null, context: null};
}

export function requestBy(actor: string, port: string, label: string): EffectRequest {
  return {key: actor, port, actor, label};
}

export function momentWith(
  actors: readonly ActorState[],
  requests: readonly EffectRequest[] = [],
): Moment {
  const moments = new Moments();
  const changes = actors.map((actor) => ({change: 'started' as const, ...actor}));
  moments.add([{...stepWith(0, []), changes, requests}]);
  return moments.at(0);
}

export function stepWith(seq: number, messages: readonly Message[]): Step {
  const cause = {kind: 'entry', entry: {type: 'opened'}} as const;
  return {seq, at: 0, cause, changes: [], messages, reports: [], requests: []};
}
