/** Forks a run: a new run with the same past up to an entry, and another future. */

import {AppError} from '../../machines/domain/app-error.ts';
import {converses} from '../../machines/domain/interaction-form.ts';
import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import {interactionIn} from '../../machines/tree/path.ts';
import type {Effect} from '../engine/effect.ts';
import type {Addition, Entry, Journal} from '../journal/journal.ts';
import {createId} from '../run/run-id.ts';
import type {OpenedInput} from '../run/run-input.ts';
import {checkedWorkspace} from '../run/validation.ts';
import {chainsOf, pathsAsBefore} from '../undo/undo-steps.ts';
import {commandsIn} from '../undo/undo.ts';
import {backupsAfter} from './changes-since.ts';
import type {Recorded} from './read-run.ts';
import {type Copied, Transcription} from './transcribe.ts';

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
 * Transcribes the past of the new run. Rejects with AppError `divergence` for a run that these charts do not replay, `usage` for
 * the end of a run or a folder that has changed since, and for a message that nothing takes also `nothing_waiting`.
 */
export async function prepareFork(
  id: string,
  point: ForkPoint,
  deps: ForkDeps,
): Promise<PreparedFork> {
  const {journal, original, changeFor, say} = deps;
  const {entries, opened} = original;
  const {at} = point;
  const past = entries.slice(0, at + 1);
  const last = past.at(-1);
  requireOpenAt(entries, at);
  const workspace = await workspaceFor(id, point, deps);
  const place = {id: createId(), workspace, session: point.session};
  const transcription = new Transcription(id, entries, place);
  await transcription.copy(past, {id, seq: at, hash: last?.hash ?? '', at: Date.now()});
  const change = changeFor(past);
  if (change) transcription.receive(change);
  if (say !== undefined)
    transcription.receive(messageTo(transcription, {id: place.id, form: opened.form}, say));
  takeOutcomes(transcription, entries.slice(at + 1));
  const additions = additionsOf(place.id, transcription.copied);
  const write = async (): Promise<void> => await journal.log.append(additions);
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
  const workspace = checkedWorkspace(given ?? folder);
  if (workspace === folder && !isRestored)
    await requireUnchanged(id, {journal, entries, at, workspace});
  return workspace;
}

/** The reply to the open question of an interview, or a message to the root. Throws AppError `usage` or `nothing_waiting`. */
function messageTo(
  transcription: Transcription,
  {id, form}: Pick<OpenedInput, 'id' | 'form'>,
  said: string,
): JsonObject {
  const text = said.toWellFormed().trim();
  if (text === '') throw new AppError('usage', 'the message is empty');
  const asked = transcription.open.find(
    ({port, key}) => port === 'askPerson' && interactionIn(key, id) === id,
  );
  if (asked) return {type: 'person.replied', ask: asked.key, text};
  if (!converses(form)) return {type: 'user.said', interaction: id, text};
  throw new AppError('nothing_waiting', 'the interview has no open question at this point');
}

/**
 * Delivers the outcomes of calls that were in flight. Aborted calls that can be repeated are made again, as are calls that were
 * only announced later.
 */
function takeOutcomes(transcription: Transcription, later: readonly Entry[]): void {
  const inFlight = new Set(transcription.open.filter(isInFlight));
  for (const entry of later) {
    const effect = entry.type === 'settled' ? transcription.effectOf(entry.key) : undefined;
    if (entry.type !== 'settled' || !effect || !inFlight.delete(effect)) continue;
    if (!isAbortedIn(entry, effect)) transcription.take(entry);
  }
}

function isInFlight({nature, repeatability, stage}: Effect): boolean {
  if (nature.settledBy !== 'performer') return false;
  return repeatability === 'repeatable' ? stage === 'wanted' : stage === 'requested';
}

function isAbortedIn(
  {outcome}: Extract<Entry, {readonly type: 'settled'}>,
  {nature, repeatability}: Effect,
): boolean {
  return (
    repeatability === 'repeatable' && isJsonObject(outcome) && nature.isCut?.(outcome) === true
  );
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

/** Entries of the same time in one addition. */
function additionsOf(interaction: string, copied: readonly Copied[]): readonly Addition[] {
  const additions: {interaction: string; at: number; bodies: Copied['body'][]}[] = [];
  for (const {body, at} of copied) {
    const last = additions.at(-1);
    if (last?.at === at) last.bodies.push(body);
    else additions.push({interaction, at, bodies: [body]});
  }
  return additions;
}
