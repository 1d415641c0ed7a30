/** What a run is opened with, and what it needs to go on. */

import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import {changeSettings, type Settings} from '../../machines/domain/settings.ts';
import type {InteractionInput} from '../../machines/tree/children.ts';
import type {RunLimits} from '../config/resolve.ts';
import {resumption} from '../engine/charts.ts';
import type {Effect} from '../engine/effect.ts';
import type {Incoming} from '../engine/incoming.ts';
import type {Begun, Entry} from '../journal/journal.ts';
import type {Tooling} from '../performers/tooling.ts';

/** What must be there for an open run to go on. */
export interface Needs {
  readonly id: string;
  readonly workspace: string;
  /** `provider/model` of those that it calls next. */
  readonly models: readonly string[];
}

/** A run that is about to open. */
export interface Prepared {
  readonly input: OpenedInput;
  readonly warnings: readonly string[];
}

/** With what an open run goes on. */
export interface Resuming {
  /** Taken before anything is performed. */
  readonly events: readonly JsonObject[];
  /** What had begun, as entries said that are gone. */
  readonly lost: readonly Begun[];
  /** Told when it is open. */
  readonly warnings: readonly string[];
  /** Throws for what is missing. */
  readonly check: ((needs: Needs) => void) | undefined;
}

/** What a run is opened with: everything that a resumed one needs to know again. */
export type OpenedInput = InteractionInput & {
  readonly limits: RunLimits;
  readonly tooling?: Tooling;
  /** Absent: one of its own. */
  readonly session?: string;
};

/** What the first entry says; undefined when it is none that opens a run. */
export function openedIn([opened]: readonly Entry[]): OpenedInput | undefined {
  return opened?.type === 'opened' && isOpenedInput(opened.input) ? opened.input : undefined;
}

/** The events by which a person has told the run something, in order. */
export function receivedIn(entries: readonly Entry[]): JsonObject[] {
  return entries.flatMap((entry) => (entry.type === 'received' ? [entry.event] : []));
}

/** The settings once the run has taken the events. */
export function settingsAfter(settings: Settings, events: readonly JsonObject[]): Settings {
  const changes = events.filter(({type}) => type === 'settings.changed');
  return changes.reduce(
    (now, {settings: change = {}}) => (isJsonObject(change) ? changeSettings(now, change) : now),
    settings,
  );
}

/** `open`: the effects that a run waits for. */
export function needsOf(
  {id, workspace}: Pick<OpenedInput, 'id' | 'workspace'>,
  open: readonly Effect[],
): Needs {
  const models = open.flatMap((each) => {
    if (each.port === 'callModel') return [each.request.model];
    return each.port === 'awaitResume' ? (each.request.model ?? []) : [];
  });
  return {id, workspace, models: [...new Set(models)]};
}

/** What a resumed run takes first. Calls that a dead process had under way count as made. */
export function firstOfResumed(
  open: readonly Effect[],
  {lost, events}: Pick<Resuming, 'lost' | 'events'>,
): Incoming[] {
  const spent = open.filter(({nature}) => nature.spends).map(({key}) => key);
  const received = [{type: resumption, lost: spent}, ...events];
  const awaited = open.filter(({nature}) => nature.settledBy === 'resume');
  return [
    ...lost.map(({key, request}): Incoming => ({kind: 'lost', key, request})),
    ...received.map((event): Incoming => ({kind: 'received', event})),
    ...awaited.map((effect): Incoming => ({
      kind: 'settled',
      effect,
      outcome: {resumed: true},
      ms: 0,
    })),
  ];
}

function isOpenedInput(value: JsonObject): value is OpenedInput & JsonObject {
  return (
    isJsonObject(value['settings']) &&
    isJsonObject(value['limits']) &&
    typeof value['id'] === 'string'
  );
}
