/** The input that opens a run, and the requirements of a run that continues. */

import {join, relative} from 'node:path';

import {customAlphabet} from 'nanoid/non-secure';

import {AppError} from '../../machines/domain/app-error.ts';
import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import type {TreeInput} from '../../machines/tree/tree.ts';
import type {RunLimits} from '../config/resolve.ts';
import type {ConfigInput} from '../config/schema.ts';
import {resumption, type ActorTree} from '../engine/actor-tree.ts';
import type {Effect, Move} from '../engine/effect.ts';
import type {Incoming} from '../engine/incoming.ts';
import type {Begun, Entry, Host} from '../journal/journal.ts';
import type {Prices} from '../model/prices.ts';
import type {Tooling} from '../performers/tooling.ts';
import {chartsVersion} from '../version.ts';

/** The requirements of an open run to continue. */
export interface Needs {
  readonly id: string;
  /** Undefined: it needs no folder. */
  readonly workspace: string | undefined;
  /** The models that it calls next, as `provider/model`. */
  readonly models: readonly string[];
}

/** A run that is about to open. */
export interface Prepared {
  readonly input: OpenedInput;
  readonly warnings: readonly string[];
}

/** The input that resumes an open run. */
export interface Resuming {
  /** Delivered before anything is performed. */
  readonly events: readonly JsonObject[];
  /** Effects that had begun, and whose entries are lost. */
  readonly lost: readonly Begun[];
  /** Reported when the run is open. */
  readonly warnings: readonly string[];
  /** Throws when a requirement is missing. */
  readonly check: ((needs: Needs) => void) | undefined;
  /** The folder to which the run moves. */
  readonly movesTo?: string | undefined;
}

/** The input that opens a run: everything that it needs again when it is resumed. */
export type OpenedInput = TreeInput & {
  readonly limits: RunLimits;
  /** That the settings and limits were resolved from. Runs of earlier versions have none. */
  readonly config?: ConfigInput;
  /** Of its models, if they are known. Runs of earlier versions have none. */
  readonly prices?: Prices;
  readonly tooling?: Tooling;
  /** Absent: a session of its own. */
  readonly session?: string;
  /** The host with its folder, in a journal that several share. Absent: any of them can run it. */
  readonly host?: string;
};

/** The input in the first entry; undefined when that does not open a run. */
export function openedIn([opened]: readonly Entry[]): OpenedInput | undefined {
  return opened?.type === 'opened' && isOpenedInput(opened.input) ? opened.input : undefined;
}

/** Throws AppError `elsewhere` for a run that works in a folder of another host. */
export function requireHere(
  run: Pick<OpenedInput, 'id' | 'host' | 'workspace'> | undefined,
  here: Pick<Host, 'id'>,
): void {
  if (run?.host === undefined || run.host === here.id) return;
  throw new AppError(
    'elsewhere',
    `run ${run.id} works in ${run.workspace} of the host ${run.host}, and this is ${here.id}; do it there`,
  );
}

/** The number of entries that a fork shares with its original; 0 for another run. */
export function sharedIn([opened]: readonly Entry[]): number {
  const origin = opened?.type === 'opened' ? opened.origin : undefined;
  return origin ? origin.seq + 1 : 0;
}

/** The folder in which the run works now, if it was moved. */
export function moveIn(entries: readonly Entry[]): Move | undefined {
  const from = openedIn(entries)?.workspace;
  const to = receivedIn(entries).findLast(isMoving)?.['workspace'];
  return from === undefined || typeof to !== 'string' || to === from ? undefined : {from, to};
}

/** The folder in which the run works now. */
export function workspaceIn(entries: readonly Entry[]): string | undefined {
  return moveIn(entries)?.to ?? openedIn(entries)?.workspace;
}

/** True for a resumption in another folder. */
export function isMoving({type, workspace}: JsonObject): boolean {
  return type === resumption && typeof workspace === 'string';
}

/** The input of a run that works in another folder from now on, with its database if that was in the old one. */
export function movedTo(input: OpenedInput, to: string): OpenedInput {
  const {workspace: from, tooling} = input;
  if (to === from) return input;
  const moved = {...input, workspace: to};
  return tooling ? {...moved, tooling: toolingAt(tooling, from, to)} : moved;
}

function toolingAt(tooling: Tooling, from: string, to: string): Tooling {
  const {database} = tooling;
  const inside = database && relative(from, database.path);
  if (!database || inside === undefined || inside.startsWith('..')) return tooling;
  return {...tooling, database: {...database, path: join(to, inside), within: to}};
}

/** The events that the run has received, in order. */
export function receivedIn(entries: readonly Entry[]): JsonObject[] {
  return entries.flatMap((entry) => (entry.type === 'received' ? [entry.event] : []));
}

/** The versions of the charts that recorded the run, each once, in order: of its opening, and of each process that resumed it. */
export function versionsIn(entries: readonly Entry[]): readonly string[] {
  const opened = entries.flatMap((entry) => (entry.type === 'opened' ? [entry.version] : []));
  const resumed = receivedIn(entries).flatMap(({type, version}) =>
    type === resumption && typeof version === 'string' ? [version] : [],
  );
  return [...new Set([...opened, ...resumed])];
}

/** `open`: the effects that a run waits for. */
export function needsOf(
  {id, workspace}: Pick<Needs, 'id' | 'workspace'>,
  open: readonly Effect[],
): Needs {
  const models = open.flatMap((each) => {
    if (each.port === 'callModel') return [each.request.model];
    return each.port === 'awaitResume' ? (each.request.model ?? []) : [];
  });
  return {id, workspace, models: [...new Set(models)]};
}

/** Model calls that a dead process had in flight count as made. `movesTo`: the folder to which the run moves. */
export function resumedEvent(open: readonly Effect[], movesTo?: string): JsonObject {
  return {
    type: resumption,
    version: chartsVersion(),
    lost: open.filter(({nature}) => nature.spends).map(({key}) => key),
    ...(movesTo === undefined ? {} : {workspace: movesTo}),
  };
}

/** The first inputs of a resumed run. */
export function firstOfResumed(
  {effects: {open}}: Pick<ActorTree, 'effects'>,
  {lost, events, movesTo}: Pick<Resuming, 'lost' | 'events' | 'movesTo'>,
): Incoming[] {
  const received = [resumedEvent(open, movesTo), ...events];
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

/**
 * Creates the id of a run. It need not be secret, only unique: Node's cryptography would take a twentieth of a start to load.
 */
export const createId = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', 12);
