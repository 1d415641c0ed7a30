/** Steps of a trace for tests of the inspector's page. */

import type {JsonObject} from '../../../../machines/domain/json.ts';
import type {Report} from '../../../../machines/facts/progress.ts';
import {Moments} from '../../../../machines/trace/moments.ts';
import type {Step} from '../../../../machines/trace/step.ts';

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
