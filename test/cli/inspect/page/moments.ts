/** Moments and steps of a trace for tests of the inspector's page. */

import type {JsonObject} from '../../../../machines/domain/json.ts';
import type {Report} from '../../../../machines/facts/progress.ts';
import {type Moment, Moments} from '../../../../machines/trace/moments.ts';
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

type Entry = JsonObject & {readonly type: string};

/** Numbered from 0, one second apart. */
export function momentsOf(...steps: readonly Partial<Step>[]): Moments {
  const moments = new Moments();
  moments.add(steps.map(stepFrom));
  return moments;
}

function stepFrom(step: Partial<Step>, seq: number): Step {
  const cause = {kind: 'entry', entry: {type: 'fired', timer: seq}} as const;
  const nothing = {changes: [], messages: [], reports: [], requests: []};
  return {seq, at: seq * 1000, cause, ...nothing, ...step};
}

export function entry(body: Entry): Partial<Step> {
  return {cause: {kind: 'entry', entry: body}};
}

export function received(event: Entry): Partial<Step> {
  return entry({type: 'received', event});
}

export function noted(note: Entry): Partial<Step> {
  return entry({type: 'noted', note});
}

export function reported(actor: string, ...reports: readonly Report[]): Partial<Step> {
  return {reports: reports.map((report) => ({report, actor}))};
}

/** The effect is in flight after this step. */
export function requested(key: string, port: string, label = ''): Partial<Step> {
  const actor = key.replace(/#\d+$/, '');
  return {
    changes: [
      {change: 'started', path: actor, logic: port, status: 'active', state: null, context: null},
    ],
    requests: [{key, port, actor, label}],
  };
}
