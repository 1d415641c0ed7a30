/** Forks a run: a new run with the same past up to an entry, and another future. */

import {AppError} from '../../machines/domain/app-error.ts';
import {converses} from '../../machines/domain/interaction-form.ts';
import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import {interactionIn} from '../../machines/tree/path.ts';
import type {Effect} from '../engine/effect.ts';
import {bodyOf, type Incoming} from '../engine/incoming.ts';
import {replay} from '../engine/replay.ts';
import type {Entry, EntryBody, Journal, Origin} from '../journal/journal.ts';
import {createId, resumedEvent, workspaceIn, type OpenedInput} from '../run/run-input.ts';
import {checkedWorkspace, withoutFolder} from '../run/validation.ts';
import {backupsAfter} from '../undo/backups.ts';
import {chainsOf, pathsAsBefore} from '../undo/undo-steps.ts';
import {commandsIn} from '../undo/undo.ts';
import type {Recorded} from './read-run.ts';
import {recordedTree} from './record.ts';

/** Files named in a message. */
const maxNamed = 5;

export interface ForkPoint {
  /** The number of the last entry that both runs share. */
  readonly at: number;
  /** The folder of the new run. Absent: that of the original, if its files are as they were at this entry. */
  readonly workspace?: string | undefined;
  /** The later changes of the original are about to be taken back there. */
  readonly isRestored?: boolean;
  /** The session of the new run. Absent: one of its own. */
  readonly session?: string | undefined;
}

export interface ForkDeps {
  readonly journal: Journal;
  readonly original: Recorded;
  /** The change of settings with which the new run continues; undefined for none. */
  readonly changeFor: (entries: readonly Entry[]) => JsonObject | undefined;
  /** A message of the person to the new run. */
  readonly say?: string | undefined;
}

/** A fork that is not in the journal yet. */
export interface PreparedFork {
  readonly id: string;
  /** Writes it to the journal in one transaction, as an open run that can be resumed. */
  readonly write: () => Promise<void>;
}

/**
 * The new run has the entries of the original up to the point, word for word. Rejects with AppError `divergence` for a run that
 * these charts do not replay, `usage` for the end of a run or a folder that has changed since, and for a message that nothing takes
 * also `nothing_waiting`.
 */
export async function prepareFork(
  id: string,
  point: ForkPoint,
  deps: ForkDeps,
): Promise<PreparedFork> {
  const {journal, original, changeFor, say} = deps;
  const {entries, opened} = original;
  const {at: seq} = point;
  const past = entries.slice(0, seq + 1);
  requireOpenAt(entries, seq);
  const workspace = await workspaceFor(id, point, deps);
  const tree = recordedTree(past);
  await replay({tree}, past);
  const {hash = '', at = 0} = past.at(-1) ?? {};
  const bodies: EntryBody[] = [];
  const deliver = (incoming: Incoming): void => {
    bodies.push(bodyOf(incoming));
    tree.deliver(incoming, at);
  };
  const receive = (event: JsonObject): void => deliver({kind: 'received', event});
  const change = changeFor(past);
  if (change) receive(change);
  if (say !== undefined) receive(messageTo(tree.effects.open, opened.form, say));
  for (const settled of outcomesFor(tree.effects.open, entries.slice(seq + 1))) deliver(settled);
  if (workspace !== workspaceIn(past)) receive(resumedEvent(tree.effects.open, workspace));
  const place = {id: createId(), session: point.session};
  const origin = {id, seq, hash, at: Date.now()};
  const additions = past.map((entry) => ({
    interaction: place.id,
    at: entry.at,
    bodies: [copyOf(entry, place, origin)],
  }));
  const write = async (): Promise<void> =>
    await journal.log.append([...additions, {interaction: place.id, at, bodies}]);
  return {id: place.id, write};
}

/** Throws AppError `usage` for the last entry of an ended run. */
export function requireOpenAt(entries: readonly Entry[], at: number): void {
  if (entries[at]?.type !== 'closed') return;
  throw new AppError('usage', `the run has ended at entry ${at}; give an earlier point`);
}

async function workspaceFor(
  id: string,
  {at, workspace: given, isRestored = false}: ForkPoint,
  {journal, original: {entries, folder}}: ForkDeps,
): Promise<string> {
  if (folder === '') return withoutFolder(id, given);
  const workspace = checkedWorkspace(given ?? folder);
  if (workspace === folder && !isRestored)
    await requireUnchanged(id, {journal, entries, at, workspace});
  return workspace;
}

function copyOf(
  entry: Entry,
  {id, session}: {readonly id: string; readonly session: string | undefined},
  origin: Origin,
): EntryBody {
  const {seq: _, at: __, hash: ___, signature: ____, ...body} = entry;
  if (body.type !== 'opened') return body;
  const {session: _____, ...input} = body.input;
  const rootName = input['rootName'] ?? origin.id;
  const opened = {...input, id, rootName, ...(session === undefined ? {} : {session})};
  return {...body, input: opened, origin};
}

/** The reply to the open question of an interview, or a message to the root. Throws AppError `usage` or `nothing_waiting`. */
function messageTo(open: readonly Effect[], form: OpenedInput['form'], said: string): JsonObject {
  const text = said.toWellFormed().trim();
  if (text === '') throw new AppError('usage', 'the message is empty');
  const asked = open.find(({port, key}) => port === 'askPerson' && interactionIn(key, '') === '');
  if (asked) return {type: 'person.replied', ask: asked.key, text};
  if (!converses(form)) return {type: 'user.said', text};
  throw new AppError('nothing_waiting', 'the interview has no open question at this point');
}

/**
 * The outcomes that calls in flight received later. Aborted calls that can be repeated are made again, as are calls that were only
 * announced later.
 */
function outcomesFor(open: readonly Effect[], later: readonly Entry[]): Incoming[] {
  const inFlight = new Set(open.filter(isInFlight));
  return later.flatMap((entry): Incoming[] => {
    if (entry.type !== 'settled' || !isJsonObject(entry.outcome)) return [];
    const {key, request, outcome, ms} = entry;
    const effect = inFlight.values().find((each) => each.key === key && each.digest === request);
    if (!effect || !inFlight.delete(effect) || isAborted(outcome, effect)) return [];
    return [{kind: 'settled', effect, outcome, ms}];
  });
}

function isInFlight({nature, repeatability, stage}: Effect): boolean {
  if (nature.settledBy !== 'performer') return false;
  return repeatability === 'repeatable' ? stage === 'wanted' : stage === 'requested';
}

function isAborted(outcome: JsonObject, {nature, repeatability}: Effect): boolean {
  return repeatability === 'repeatable' && nature.isCut?.(outcome) === true;
}

interface ForkGround {
  readonly journal: Journal;
  readonly entries: readonly Entry[];
  readonly at: number;
  readonly workspace: string;
}

/** Rejects with AppError `usage` unless the files that the run has changed since are as they were at the entry. */
async function requireUnchanged(
  id: string,
  {journal, entries, at, workspace}: ForkGround,
): Promise<void> {
  const later = backupsAfter((await journal.backups?.list(id)) ?? [], entries, at);
  const asBefore = await pathsAsBefore(workspace, later);
  const paths = chainsOf(later).flatMap(([first]) => (first ? [first.path] : []));
  const changed = paths.filter((path) => !asBefore.has(path));
  const advice =
    'give a copy of the folder as it was, or take the changes back with quorate fork --files';
  if (changed.length > 0) {
    const named = changed.slice(0, maxNamed).join(', ');
    const more = changed.length > maxNamed ? ` and ${changed.length - maxNamed} more` : '';
    throw new AppError('usage', `the run has changed ${named}${more} after entry ${at}; ${advice}`);
  }
  if (commandsIn(entries, at).commands > 0) {
    throw new AppError(
      'usage',
      `commands that ran after entry ${at} may have changed more than the journal knows; ${advice}`,
    );
  }
}
