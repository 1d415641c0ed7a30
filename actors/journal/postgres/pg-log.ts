/** The entries in the database, the head of each run, and the list of runs. */

import type {AppError} from '../../../machines/domain/app-error.ts';
import {
  chainAfter,
  type Draft,
  entryIn,
  firstHead,
  type Head,
  isWritten,
  link,
  requireInteractionId,
  requireSound,
  salvageChain,
  type StoredEntry,
  takenOver,
  toDraft,
} from '../chain.ts';
import {
  type InteractionRow,
  type Log,
  readAtOnce,
  type RowQuery,
  type Salvaged,
} from '../journal.ts';
import type {Sign} from '../signing-key.ts';
import {columnsOf, type Query, type Row, type Store} from './pg-database.ts';
import {recordSubmission} from './pg-records.ts';

/** Lines of appends: each run is in one of them, and a line has one transaction at a time. */
const LINES = 2;

interface LogDeps {
  readonly store: Store;
  readonly sign: Sign | undefined;
  /** The machine whose folders are meant. Absent: those of all. */
  readonly host: string | undefined;
  /** The number of the lease under which this journal writes a run that it owns. */
  readonly tokenOf: (run: string) => string;
  /** Inside a transaction. Rejects with AppError `busy` when this journal no longer owns one of the runs. */
  readonly requireOwned: (query: Query, runs: readonly string[]) => Promise<void>;
  /** Another process has written to a run that this journal owns. */
  readonly onTakenOver: (run: string, error: AppError) => void;
}

interface PgLog extends Log {
  readonly lineFor: NonNullable<Log['lineFor']>;
  readonly onOwned: (run: string) => void;
  readonly onReleased: (run: string) => void;
  readonly onErased: (run: string) => void;
  /** Resolves when nothing is being written. */
  readonly whenIdle: () => Promise<void>;
}

export function createPgLog(deps: LogDeps): PgLog {
  const {store} = deps;
  /** The runs that this journal owns, with the head last read or written; undefined before that. */
  const owned = new Map<string, Head | undefined>();
  const lines = new Lines();
  const salvage = async (run: string): Promise<Salvaged> => {
    requireInteractionId(run);
    await lines.whenFree([run]);
    const salvaged = await store.consistently(async (query) => await readRun(query, store, run));
    if (owned.has(run) && !owned.get(run)) owned.set(run, salvaged.head);
    const {entries, damage, isEndMissing} = salvaged;
    return {entries, damage, ...(isEndMissing ? {isEndMissing} : {})};
  };
  const transact = async (drafts: readonly Draft[]): Promise<void> => {
    const isRepeatable = drafts.every(({seq}) => seq !== undefined);
    const group = {...deps, owned};
    const write = async (query: Query) => await writeGroup(query, drafts, group);
    const heads =
      (await writeAtOnce(isRepeatable ? store.query : store.queryOnce, drafts, group)) ??
      (await store.transact(write, {isRepeatable}));
    for (const [run, head] of heads) if (owned.has(run)) owned.set(run, head);
  };
  const log: Log = {
    salvage,
    append: async (batch) => {
      const drafts = batch.map(toDraft).filter(({bodies}) => bodies.length > 0);
      const runs = drafts.map(({interaction}) => interaction);
      if (runs.length > 0) await lines.add(runs, async () => await transact(drafts));
    },
    read: async (run) => requireSound(await salvage(run)),
    ...createReads(deps),
  };
  /** One object for each line: the engines that have one in common share its transactions. */
  const logs = Array.from({length: LINES}, (): Log => ({...log}));
  return {
    ...log,
    lineFor: (run) => logs[lineOf(run)] ?? log,
    onOwned: (run) => void owned.set(run, undefined),
    onReleased: (run) => void owned.delete(run),
    onErased: (run) => {
      if (owned.has(run)) owned.set(run, undefined);
    },
    whenIdle: async () => await lines.whenFree(),
  };
}

/** Reads that wait for no append. */
function createReads(deps: LogDeps): Pick<Log, 'after' | 'lengthOf' | 'closing' | 'list'> {
  const {store} = deps;
  return {
    after: async (run, {seq, hash}) => {
      requireInteractionId(run);
      const stored = (await pageAfter(store.query, store, run, seq)).map(toStored);
      return requireSound(chainAfter({seq: seq + 1, hash}, stored, run));
    },
    lengthOf: async (run) => {
      requireInteractionId(run);
      return (await headsOf(store.query, store, [run])).get(run)?.seq ?? 0;
    },
    closing: async (run) => {
      requireInteractionId(run);
      const [row] = await store.query(
        `SELECT body FROM ${store.at}entries WHERE run = $1 ORDER BY seq DESC LIMIT 1`,
        [run],
      );
      const last = row && entryIn(String(row['body']));
      return last?.type === 'closed' ? last : undefined;
    },
    list: async (of = {}) => await listRuns(deps, of),
  };
}

function lineOf(run: string): number {
  let sum = 0;
  for (let at = 0; at < run.length; at += 1) sum = (sum * 31 + run.charCodeAt(at)) % 65_536;
  return sum % LINES;
}

/** Work on the runs of one line is done in the order of its calls. */
class Lines {
  readonly #last = Array.from({length: LINES}, async () => {});

  async add(runs: readonly string[], work: () => Promise<void>): Promise<void> {
    const done = this.whenFree(runs).then(work);
    const ended = done.catch(() => {});
    for (const line of new Set(runs.map(lineOf))) this.#last[line] = ended;
    await done;
  }

  /** Without runs: of all lines. */
  async whenFree(runs?: readonly string[]): Promise<void> {
    const lines = new Set(runs?.map(lineOf));
    await Promise.all(this.#last.filter((_, line) => !runs || lines.has(line)));
  }
}

/** The additions of one run in a group. */
interface Part {
  readonly run: string;
  /** These follow the head, one another. */
  readonly drafts: readonly Draft[];
  /** These name another position: they are written already, or refused. */
  readonly others: readonly Draft[];
  readonly before: Head;
  readonly head: Head;
  readonly stored: readonly StoredEntry[];
}

function toPart(run: string, given: readonly Draft[], before: Head, sign: Sign | undefined): Part {
  let head = before;
  const drafts: Draft[] = [];
  const others: Draft[] = [];
  const stored: StoredEntry[] = [];
  for (const draft of given) {
    if (draft.seq === undefined || draft.seq === head.seq) {
      const linked = link(head, draft, {...draft, sign});
      stored.push(...linked.stored);
      head = linked.head;
      drafts.push(draft);
    } else others.push(draft);
  }
  return {run, drafts, others, before, head, stored};
}

interface GroupDeps extends LogDeps {
  readonly owned: ReadonlyMap<string, Head | undefined>;
}

/**
 * One statement for a group that only continues runs of this journal from where it has left them. Resolves with the heads of its
 * runs. Writes nothing, and resolves with undefined, for any other group, and when the lease or the head of a run has changed.
 */
async function writeAtOnce(
  query: Query,
  drafts: readonly Draft[],
  deps: GroupDeps,
): Promise<ReadonlyMap<string, Head> | undefined> {
  const {owned, sign} = deps;
  if (drafts.some(({submission}) => submission)) return undefined;
  const parts: Part[] = [];
  for (const [run, given] of Map.groupBy(drafts, ({interaction}) => interaction)) {
    const before = owned.get(run);
    if (!before || before.seq === 0) return undefined;
    const part = toPart(run, given, before, sign);
    if (part.others.length > 0) return undefined;
    parts.push(part);
  }
  return (await writeParts(query, parts, deps)) ? headsAfter(parts) : undefined;
}

function headsAfter(parts: readonly Part[]): Map<string, Head> {
  return new Map(parts.map(({run, head}) => [run, head]));
}

/** All of the group or nothing. Resolves with the heads of its runs. */
async function writeGroup(
  query: Query,
  drafts: readonly Draft[],
  deps: GroupDeps,
): Promise<ReadonlyMap<string, Head>> {
  const {store, owned, requireOwned} = deps;
  const byRun = Map.groupBy(drafts, ({interaction}) => interaction);
  const runs = [...byRun.keys()];
  const mine = runs.filter((run) => owned.has(run));
  if (mine.length > 0) await requireOwned(query, mine);
  await addRuns(
    query,
    store,
    runs.filter((run) => !owned.get(run)?.seq),
  );
  const found = await headsOf(query, store, runs, 'FOR UPDATE');
  const all = [...byRun].map(([run, given]) =>
    partAfter(given, owned.get(run), found.get(run) ?? firstHead(run), deps),
  );
  const parts = all.filter(({stored}) => stored.length > 0);
  if (!(await writeParts(query, parts, deps)))
    throw new Error('the heads of runs changed while they were locked');
  for (const {interaction: run, at: time, submission} of parts.flatMap((part) => part.drafts))
    if (submission) await recordSubmission(query, store, {run, time, ...submission});
  const repeated = all.map(({others}) => others).filter((others) => others.length > 0);
  const heads = await Promise.all(
    repeated.map(async (given) => await requireWritten(query, given, deps)),
  );
  return new Map([...headsAfter(parts), ...heads]);
}

/** `known`: where this journal has left the run. Nothing follows a head that another process has moved. */
function partAfter(
  given: readonly Draft[],
  known: Head | undefined,
  found: Head,
  {sign}: GroupDeps,
): Part {
  const [{interaction: run} = {interaction: ''}] = given;
  if (!known || known.hash === found.hash) return toPart(run, given, found, sign);
  return {...toPart(run, [], known, sign), others: given};
}

/** Resolves with the run and its head. Rejects with AppError `busy` unless the entries of the drafts are there. */
async function requireWritten(
  query: Query,
  drafts: readonly Draft[],
  {store, sign, onTakenOver}: GroupDeps,
): Promise<[string, Head]> {
  const [{interaction: run} = {interaction: ''}] = drafts;
  const {entries, head} = await readRun(query, store, run);
  if (drafts.every((draft) => isWritten(draft, entries, sign))) return [run, head];
  const error = takenOver(run);
  onTakenOver(run, error);
  throw error;
}

async function addRuns(query: Query, {at}: Store, runs: readonly string[]): Promise<void> {
  if (runs.length === 0) return;
  await query(
    `INSERT INTO ${at}runs (id, entries, hash, updated_at)
     SELECT id, 0, id, 0 FROM unnest($1::text[]) AS given (id) ON CONFLICT (id) DO NOTHING`,
    [runs],
  );
}

/**
 * Moves the head of each run, adds its entries, and removes the messages that they record. Resolves with false when one of the
 * heads is not where it is expected, or one of the leases has gone: then nothing is written.
 */
async function writeParts(query: Query, parts: readonly Part[], deps: GroupDeps): Promise<boolean> {
  if (parts.length === 0) return true;
  const entries = parts.flatMap(({run, stored}) =>
    stored.map((entry) => [run, entry.seq, entry.at, entry.mark, entry.body]),
  );
  const taken = parts.flatMap(({run, drafts}) =>
    drafts.flatMap((draft) => draft.taken.map((message) => [run, message])),
  );
  const moved = await query(writing(deps.store.at), [
    ...columnsOf(parts.map((part) => toHeadRow(part, deps))),
    ...columnsOf(entries),
    ...(taken.length > 0 ? columnsOf(taken) : [[], []]),
  ]);
  return moved.length === parts.length;
}

const writing = (at: string): string => `WITH given AS (
       SELECT * FROM unnest(
         $1::text[], $2::bigint[], $3::int[], $4::int[], $5::text[], $6::float8[], $7::bigint[], $8::text[], $9::text[],
         $10::text[], $11::float8[], $12::text[], $13::text[], $14::text[], $15::text[], $16::float8[]
       ) AS g (
         id, token, expected, entries, hash, at, bytes, status, answer, opening, opened_at, session, workspace, host, moved_to, rest
       )
     ), fenced AS (
       SELECT l.run FROM ${at}leases l JOIN given g ON l.run = g.id AND l.token = g.token FOR SHARE OF l
     ), placed AS (
       SELECT r.id FROM ${at}runs r JOIN given g ON r.id = g.id AND r.entries = g.expected
       WHERE g.token IS NULL OR r.id IN (SELECT run FROM fenced) FOR UPDATE OF r
     ), moved AS (
       UPDATE ${at}runs AS r SET
         entries = g.entries, hash = g.hash, updated_at = g.at, bytes = r.bytes + g.bytes,
         status = coalesce(g.status, r.status), answer = coalesce(g.answer, r.answer),
         opening = coalesce(r.opening, g.opening), opened_at = coalesce(r.opened_at, g.opened_at),
         session = coalesce(r.session, g.session), host = coalesce(r.host, g.host),
         workspace = coalesce(g.moved_to, r.workspace, g.workspace),
         claim_at = now() + g.rest * interval '1 millisecond'
       FROM given g
       WHERE r.id = g.id AND r.entries = g.expected AND (SELECT count(*) FROM placed) = cardinality($1::text[])
       RETURNING r.id
     ), added AS (
       INSERT INTO ${at}entries (run, seq, at, mark, body)
       SELECT * FROM unnest($17::text[], $18::int[], $19::float8[], $20::text[], $21::text[]) AS e (run, seq, at, mark, body)
       WHERE run IN (SELECT id FROM moved)
     ), recorded AS (
       DELETE FROM ${at}inbox i WHERE i.run IN (SELECT id FROM moved) AND (
         i.run IN (SELECT id FROM given WHERE status IS NOT NULL)
         OR (i.run, i.id) IN (SELECT * FROM unnest($22::text[], $23::bigint[]))
       )
     )
     SELECT id FROM moved`;

function toHeadRow(
  {run, drafts, before, head, stored}: Part,
  {owned, tokenOf}: GroupDeps,
): readonly unknown[] {
  const at = Math.max(...drafts.map((draft) => draft.at));
  const bytes = stored.reduce((sum, {body}) => sum + Buffer.byteLength(body), 0);
  const closing = drafts.findLast((draft) => draft.closing)?.closing;
  const restMs = drafts.at(-1)?.restMs ?? 0;
  return [
    run,
    owned.has(run) ? tokenOf(run) : null,
    before.seq,
    head.seq,
    head.hash,
    at,
    bytes,
    ...(closing ? [closing.status, JSON.stringify(closing.answer)] : [null, null]),
    ...openingCells(drafts.find((draft) => draft.opening)?.opening),
    plain(drafts.findLast(({movedTo}) => movedTo !== undefined)?.movedTo),
    Number.isFinite(restMs) ? restMs : null,
  ];
}

function openingCells(opening: Draft['opening']): readonly unknown[] {
  if (!opening) return [null, null, null, null, null];
  const {form, request, session, workspace, host, openedAt} = opening;
  const texts = JSON.stringify({form, request});
  return [texts, openedAt, plain(session), plain(workspace), plain(host)];
}

/** A column holds no NUL; no name of a file does. */
function plain(text: string | undefined): string | null {
  return text?.replaceAll('\0', '') ?? null;
}

async function headsOf(
  query: Query,
  {at}: Store,
  runs: readonly string[],
  lock = '',
): Promise<ReadonlyMap<string, Head>> {
  if (runs.length === 0) return new Map();
  const rows = await query(
    `SELECT id, entries, hash FROM ${at}runs WHERE id = ANY($1::text[]) ORDER BY id ${lock}`,
    [runs],
  );
  return new Map(
    rows.map(({id, entries, hash}) => [String(id), {seq: Number(entries), hash: String(hash)}]),
  );
}

async function readRun(
  query: Query,
  store: Store,
  run: string,
): Promise<Salvaged & {readonly head: Head}> {
  const head = (await headsOf(query, store, [run])).get(run) ?? firstHead(run);
  const rows = await allPages(
    async (last) => await pageAfter(query, store, run, Number(last?.['seq'] ?? -1)),
  );
  return {...salvageChain(run, rows.map(toStored), head), head};
}

async function pageAfter(
  query: Query,
  {at}: Store,
  run: string,
  seq: number,
): Promise<readonly Row[]> {
  return await query(
    `SELECT seq, at, mark, body FROM ${at}entries WHERE run = $1 AND seq > $2 ORDER BY seq LIMIT ${readAtOnce}`,
    [run, seq],
  );
}

/** Reads page by page, so that no statement returns everything at once. `read`: the page after a row. */
async function allPages(
  read: (last: Row | undefined) => Promise<readonly Row[]>,
  found: Row[] = [],
): Promise<readonly Row[]> {
  const page = await read(found.at(-1));
  found.push(...page);
  return page.length < readAtOnce ? found : await allPages(read, found);
}

function toStored({seq, at, mark, body}: Row): StoredEntry {
  return {seq: Number(seq), at: Number(at), mark: String(mark), body: String(body)};
}

async function listRuns(
  {store: {query, at}, host}: LogDeps,
  of: RowQuery,
): Promise<InteractionRow[]> {
  const wanted = (['id', 'session', 'workspace'] as const).flatMap((column) =>
    of[column] === undefined ? [] : [{column, value: of[column]}],
  );
  const conditions = wanted.map(({column}, index) => `AND r.${column} = $${index + 4}`).join(' ');
  const own = of.workspace === undefined ? null : (host ?? null);
  const rows = await allPages(
    async (last) =>
      await query(
        `SELECT r.*, h.name AS machine FROM ${at}runs r LEFT JOIN ${at}hosts h ON h.id = r.host WHERE opening IS NOT NULL
           AND ($1::float8 IS NULL OR (opened_at, number) < ($1, $2::bigint))
           AND ($3::text IS NULL OR r.host IS NULL OR r.host = $3) ${conditions}
         ORDER BY opened_at DESC, number DESC LIMIT ${readAtOnce}`,
        [
          last?.['opened_at'] ?? null,
          last?.['number'] ?? null,
          own,
          ...wanted.map(({value}) => value),
        ],
      ),
  );
  return rows.map(toInteraction);
}

function toInteraction(row: Row): InteractionRow {
  const {form, request}: {form: string; request: string} = JSON.parse(String(row['opening']));
  const {status, answer, host, machine, claim_at: claimedFrom} = row;
  return {
    id: String(row['id']),
    form,
    request,
    workspace: String(row['workspace']),
    ...(typeof host === 'string' ? {host} : {}),
    ...(typeof machine === 'string' ? {machine} : {}),
    ...(typeof status !== 'string' && claimedFrom !== null ? {isForWorkers: true} : {}),
    openedAt: Number(row['opened_at']),
    updatedAt: Number(row['updated_at']),
    entries: Number(row['entries']),
    session: String(row['session']),
    status: typeof status === 'string' ? status : undefined,
    answer: typeof answer === 'string' ? JSON.parse(answer) : undefined,
    bytes: Number(row['bytes']),
  };
}
