/** The chain of hashes that ties an interaction's entries to their order, and the form in which they are stored. */

import {AppError} from '../../machines/domain/app-error.ts';
import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import {t} from '../../machines/message.ts';
import type {Addition, Begun, Entry, EntryBody, InteractionRow, Salvaged} from './journal.ts';
import {nodeCrypto} from './node-crypto.ts';
import {isEnvelope, needsSignature, type Sign, withSignature} from './signing-key.ts';

/** The position of the next entry: its seq, and the hash of the entry before it. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}

/** An entry as stored: `body` is exactly the text that was hashed. */
export interface StoredEntry {
  readonly seq: number;
  readonly at: number;
  /** The beginning of its hash: enough to identify a changed entry. The head covers the whole chain. */
  readonly mark: string;
  readonly body: string;
}

/** An addition, copied and checked: it can neither fail nor change any more. */
export interface Draft {
  readonly interaction: string;
  readonly at: number;
  readonly bodies: readonly string[];
  /** These three as in {@link Addition}. */
  readonly seq: number | undefined;
  readonly taken: readonly number[];
  readonly submission: Addition['submission'];
  /** The indexes of the bodies that a journal signs if it has a key. */
  readonly toSign: ReadonlySet<number>;
  readonly opening: Opening | undefined;
  readonly closing: Closing | undefined;
  /** How long the interaction stays at rest, ms, unless a person continues it: Infinity if only a person can. */
  readonly restMs: number;
  /** The folder in which the interaction works from now on. */
  readonly movedTo: string | undefined;
}

/** The part of a listing that is known when an interaction opens. */
export type Opening = Pick<
  InteractionRow,
  'form' | 'request' | 'workspace' | 'host' | 'session' | 'openedAt'
>;

/** The part of a listing that is known when an interaction has ended. */
interface Closing {
  readonly status: string;
  readonly answer: string;
}

/** Throws AppError `usage` for an id that is not a plain word: ids become names of files and rows. */
export function requireInteractionId(id: string): void {
  if (isInteractionId(id)) return;
  throw new AppError(
    'usage',
    `${JSON.stringify(id.slice(0, 80))} is not an interaction id; give 1 to 64 letters, digits, "-" or "_"`,
  );
}

export function isInteractionId(id: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(id);
}

/** The chain begins with the interaction's id, so that entries can't move to another interaction. */
export function firstHead(interaction: string): Head {
  return {seq: 0, hash: interaction};
}

/** Throws TypeError for a body that is not JSON, AppError `usage` for an invalid id. */
export function toDraft({interaction, bodies, at, seq, taken = [], submission}: Addition): Draft {
  requireInteractionId(interaction);
  const opened = bodies.find((body) => body.type === 'opened');
  const closed = bodies.findLast((body) => body.type === 'closed');
  return {
    interaction,
    at,
    seq,
    taken,
    submission,
    bodies: bodies.map((body) => JSON.stringify(body)),
    toSign: new Set(bodies.flatMap((body, index) => (needsSignature(body) ? [index] : []))),
    opening: opened && describeOpening(opened, interaction, opened.origin?.at ?? at),
    closing: closed && describeClosing(closed),
    restMs: restIn(bodies.at(-1)),
    movedTo: bodies.map(folderIn).findLast((folder) => folder !== undefined),
  };
}

/** An outage may be over after a minute. */
const OUTAGE_MS = 60_000;

function restIn(last: EntryBody | undefined): number {
  if (last?.type !== 'noted' || !isJsonObject(last.note)) return 0;
  const {type, why, outage} = last.note;
  if (type !== 'run.suspended' || why === 'handedOver') return 0;
  const isPassing = isJsonObject(outage) && !needsPerson.has(outage['code']);
  return isPassing ? OUTAGE_MS : Infinity;
}

/** A higher limit, a folder that is put back. */
const needsPerson: ReadonlySet<unknown> = new Set(['overBudget', 'workspaceGone']);

/** The folder to which a resumption moves the interaction. */
function folderIn(body: EntryBody): string | undefined {
  if (body.type !== 'received' || !isJsonObject(body.event)) return undefined;
  const {type, workspace} = body.event;
  if (type !== 'run.resumed') return undefined;
  return typeof workspace === 'string' ? workspace : undefined;
}

/** The effects that were about to be performed and were not taken back, by key. */
export function begunIn(entries: readonly (Entry | Begun)[]): ReadonlyMap<string, Begun> {
  const begun = new Map<string, Begun>();
  for (const entry of entries) {
    if (entry.type !== 'requested') continue;
    if (entry.isTakenBack === true) begun.delete(entry.key);
    else begun.set(entry.key, entry);
  }
  return begun;
}

const unsigned: Signing = {interaction: '', toSign: new Set(), sign: undefined};

interface Signing extends Pick<Draft, 'interaction' | 'toSign'> {
  readonly sign: Sign | undefined;
}

/** Chains bodies to the head. Without a signer they are kept as they are. */
export function link(
  head: Head,
  {bodies, at}: Pick<Draft, 'at' | 'bodies'>,
  {interaction, toSign, sign}: Signing = unsigned,
): {readonly stored: readonly StoredEntry[]; readonly head: Head} {
  let {seq, hash: last} = head;
  const stored = bodies.map((given, index) => {
    const place = {interaction, seq, at, previous: last};
    const body = sign && toSign.has(index) ? withSignature(given, place, sign) : given;
    last = hashAfter(last, seq, at, body);
    const entry = {seq, at, mark: markOf(last), body};
    seq += 1;
    return entry;
  });
  return {stored, head: {seq, hash: last}};
}

/** True when exactly the entries of a draft are at the position that it names. */
export function isWritten(
  draft: Draft,
  entries: readonly Entry[],
  sign: Sign | undefined,
): boolean {
  const {interaction, seq, bodies} = draft;
  if (seq === undefined) return false;
  const hash = seq === 0 ? interaction : entries[seq - 1]?.hash;
  const last = entries[seq + bodies.length - 1];
  if (hash === undefined || last === undefined) return false;
  return link({seq, hash}, draft, {...draft, sign}).head.hash === last.hash;
}

/**
 * The entries up to the first that is missing, misplaced or changed. `end` is the head that was stored with the last entry.
 */
export function salvageChain(
  interaction: string,
  stored: Iterable<StoredEntry>,
  end: Head,
): Salvaged {
  const {entries, damage} = chainAfter(firstHead(interaction), stored, interaction);
  if (damage) return {entries, damage};
  const {seq = -1, hash = interaction} = entries.at(-1) ?? {};
  const head = {seq: seq + 1, hash};
  if (head.seq < end.seq)
    return {entries, damage: missing(interaction, head.seq, end.seq), isEndMissing: true};
  if (head.seq === end.seq && head.hash === end.hash) return {entries, damage: undefined};
  const last = Math.max(0, end.seq - 1);
  return {entries: entries.slice(0, last), damage: changed(interaction, last)};
}

/** The sound entries that follow a head, up to the first that is missing, misplaced or changed. */
export function chainAfter(
  {seq: from, hash: previous}: Head,
  stored: Iterable<StoredEntry>,
  interaction: string,
): Pick<Salvaged, 'entries' | 'damage'> {
  const entries: Entry[] = [];
  let head = {seq: from, hash: previous};
  for (const {seq, at, mark, body} of stored) {
    if (seq !== head.seq) return {entries, damage: missing(interaction, head.seq, seq)};
    const chained = hashAfter(head.hash, seq, at, body);
    if (markOf(chained) !== mark) return {entries, damage: changed(interaction, seq)};
    const parsed = entryIn(body);
    if (!parsed) return {entries, damage: broken(interaction, seq, 'it is not a valid entry')};
    entries.push({...parsed, seq, at, hash: chained});
    head = {seq: seq + 1, hash: chained};
  }
  return {entries, damage: undefined};
}

/** The required values of each kind of entry, by their types. */
const kinds: Readonly<Record<string, Readonly<Record<string, 'object' | 'string' | 'number'>>>> = {
  opened: {input: 'object', version: 'string'},
  requested: {key: 'string', request: 'string'},
  settled: {key: 'string', request: 'string', ms: 'number'},
  received: {event: 'object'},
  fired: {timer: 'number'},
  noted: {note: 'object'},
  closed: {result: 'object'},
};

/** Undefined for a body that is not an entry: any program that can write to the store can append one with a valid hash. */
export function entryIn(body: string): EntryBody | undefined {
  const parsed = parsedBody(body);
  if (!parsed) return undefined;
  const {type} = parsed;
  const kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  const fits = Object.entries(kind ?? {}).every(([name, wanted]) =>
    wanted === 'object' ? isJsonObject(parsed[name]) : typeof parsed[name] === wanted,
  );
  const isSound = parsed.signature === undefined || isEnvelope(parsed.signature);
  return kind && fits && isSound ? parsed : undefined;
}

function parsedBody(text: string): (EntryBody & JsonObject) | undefined {
  try {
    const parsed: EntryBody & JsonObject = JSON.parse(text);
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Returns all entries. Throws the damage, if there is any. */
export function requireSound({
  entries,
  damage,
}: Pick<Salvaged, 'entries' | 'damage'>): readonly Entry[] {
  if (damage) throw damage;
  return entries;
}

/** True when a run can continue from the entries. */
export function isUsable({damage, lost = []}: Omit<Salvaged, 'entries'>): boolean {
  return damage === undefined || lost.length > 0;
}

/** The entries to continue from, and the effects that are lost behind them. Throws the damage when a run can't continue. */
export function requireUsable(salvaged: Salvaged): Required<Pick<Salvaged, 'entries' | 'lost'>> {
  const {entries, damage, lost = []} = salvaged;
  if (damage && !isUsable(salvaged)) throw damage;
  return {entries, lost};
}

/** The entries from `seq` to the one before `next` are missing. */
export function missing(interaction: string, seq: number, next: number, advice?: string): AppError {
  const others = next - seq - 1;
  const what = others > 0 ? `it and ${others} after it are missing` : 'the entry is missing';
  return broken(interaction, seq, what, advice);
}

/** The entries from `seq` to the one that closed the interaction are missing. */
export function endMissing(interaction: string, seq: number): AppError {
  return broken(
    interaction,
    seq,
    'it had ended, and its last entries are missing',
    'restore the journal from a backup; the run is not resumed, because its commands have run',
  );
}

export function changed(interaction: string, seq: number): AppError {
  return broken(interaction, seq, 'the entry was changed after it was written');
}

const startAnew = 'restore the journal from a backup, or start the request anew';

function broken(interaction: string, seq: number, what: string, advice = startAnew): AppError {
  return new AppError(
    'journal_corrupt',
    `journal of ${interaction}, entry ${seq}: ${what}; ${advice}`,
  );
}

function describeOpening(
  {input: {form, request, workspace, host, session}}: Extract<EntryBody, {type: 'opened'}>,
  interaction: string,
  openedAt: number,
): Opening {
  return {
    form: textOr(form),
    request: textOr(request),
    workspace: textOr(workspace),
    session: textOr(session, interaction),
    ...(typeof host === 'string' ? {host} : {}),
    openedAt,
  };
}

function describeClosing({
  result: {status, answer, summary},
}: Extract<EntryBody, {type: 'closed'}>): Closing {
  return {status: textOr(status, 'closed'), answer: textOr(answer, textOr(summary))};
}

function textOr(value: unknown, fallback = ''): string {
  return typeof value === 'string' ? value : fallback;
}

/** The hash of an entry; `previous`: that of the entry before it, or of the first head. */
export function hashAfter(previous: string, seq: number, at: number, body: string): string {
  return nodeCrypto().hash('sha256', `${previous}\n${seq} ${at} ${body}`);
}

function markOf(chained: string): string {
  return chained.slice(0, 6);
}

// Errors about a run that is named by its id.

export function noSuchRun(id: string): AppError {
  return new AppError('not_found', `there is no run ${id}; see: quorate runs`);
}

/** This process has lost the interaction: another process owns it, or has written to it. */
export function takenOver(interaction: string, cause?: unknown): AppError {
  return new AppError(
    'busy',
    `interaction ${interaction} has been taken over by another process; leave it to that one`,
    {cause},
  );
}

/** Throws AppError `usage` for a run that was recorded elsewhere: nothing of it approves, writes or counts as a setting here. */
export function requireOwnRun(id: string, {imported}: Pick<Salvaged, 'imported'>): void {
  if (imported !== true) return;
  throw new AppError(
    'usage',
    t`run ${id} was recorded elsewhere: it can be read and verified, but not continued, forked or undone`,
  );
}
