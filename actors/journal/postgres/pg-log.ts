/** The entries in the database, the head of each run, and the list of runs. */

import type {AppError} from '../../../machines/domain/app-error.ts';
import {
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
import type {InteractionRow, Log, RowQuery, Salvaged} from '../journal.ts';
import type {Sign} from '../signing-key.ts';
import type {Query, Row, Store} from './pg-database.ts';

/** Rows that one statement reads. */
const PAGE = 1_000;
/** Lines of appends: each run is in one of them, and a line has one transaction at a time. */
const LINES = 4;

interface LogDeps {
  readonly store: Store;
  readonly sign: Sign | undefined;
  /** Inside a transaction. Rejects with AppError `busy` when this journal no longer owns one of the runs. */
  readonly requireOwned: (query: Query, runs: readonly string[]) => Promise<void>;
  /** Another process has written to a run that this journal owns. */
  readonly onTakenOver: (run: string, error: AppError) => void;
  /** Inside a transaction, for each draft that it writes: what belongs to the same fact. */
  readonly besides: (query: Query, draft: Draft) => Promise<void>;
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
    const write = async (query: Query) => await writeGroup(query, drafts, {...deps, owned});
    const heads = await store.transact(write, {isRepeatable});
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
    list: async (of = {}) => await listRuns(store, of),
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

/** All of the group or nothing. Resolves with the heads of its runs. */
async function writeGroup(
  query: Query,
  drafts: readonly Draft[],
  deps: GroupDeps,
): Promise<ReadonlyMap<string, Head>> {
  const {store, owned, sign, requireOwned, besides} = deps;
  const byRun = Map.groupBy(drafts, ({interaction}) => interaction);
  const runs = [...byRun.keys()];
  const mine = runs.filter((run) => owned.has(run));
  if (mine.length > 0) await requireOwned(query, mine);
  const unknown = runs.filter((run) => !owned.get(run));
  const found = await headsOf(query, store, unknown, 'FOR UPDATE');
  const parts = [...byRun].map(([run, given]) =>
    toPart(run, given, owned.get(run) ?? found.get(run) ?? firstHead(run), sign),
  );
  const moved = await moveHeads(query, store, parts);
  const written = parts.filter(({run}) => moved.has(run));
  await insertEntries(query, store, written);
  const all = written.flatMap(({drafts: own}) => own);
  await Promise.all(all.map(async (draft) => await besides(query, draft)));
  const heads = await Promise.all(
    parts.map(async (part): Promise<[string, Head]> => {
      const repeated = moved.has(part.run) ? part.others : [...part.drafts, ...part.others];
      const isRepeated = repeated.length > 0;
      return [part.run, isRepeated ? await requireWritten(query, repeated, deps) : part.head];
    }),
  );
  return new Map(heads);
}

/** Resolves with the head of the run. Rejects with AppError `busy` unless the entries of the drafts are there. */
async function requireWritten(
  query: Query,
  drafts: readonly Draft[],
  {store, sign, onTakenOver}: GroupDeps,
): Promise<Head> {
  const [{interaction: run} = {interaction: ''}] = drafts;
  const {entries, head} = await readRun(query, store, run);
  if (drafts.every((draft) => isWritten(draft, entries, sign))) return head;
  const error = takenOver(run);
  onTakenOver(run, error);
  throw error;
}

/** Moves the head of each run from where it is expected; returns the runs that were there. */
async function moveHeads(
  query: Query,
  {at}: Store,
  given: readonly Part[],
): Promise<ReadonlySet<unknown>> {
  const parts = given.filter(({stored}) => stored.length > 0);
  if (parts.length === 0) return new Set();
  const fresh = parts.filter(({before}) => before.seq === 0);
  if (fresh.length > 0) {
    await query(
      `INSERT INTO ${at}runs (id, entries, hash, updated_at)
       SELECT id, 0, id, 0 FROM unnest($1::text[]) AS given (id) ON CONFLICT (id) DO NOTHING`,
      [fresh.map(({run}) => run)],
    );
  }
  const rows = await query(
    `UPDATE ${at}runs AS r SET
       entries = g.entries, hash = g.hash, updated_at = g.at, bytes = r.bytes + g.bytes,
       status = coalesce(g.status, r.status), answer = coalesce(g.answer, r.answer),
       opening = coalesce(r.opening, g.opening), opened_at = coalesce(r.opened_at, g.opened_at),
       session = coalesce(r.session, g.session), host = coalesce(r.host, g.host),
       workspace = coalesce(g.moved_to, r.workspace, g.workspace),
       claim_at = now() + g.rest * interval '1 millisecond'
     FROM unnest(
       $1::text[], $2::int[], $3::int[], $4::text[], $5::float8[], $6::bigint[], $7::text[], $8::text[], $9::text[],
       $10::float8[], $11::text[], $12::text[], $13::text[], $14::text[], $15::float8[]
     ) AS g (
       id, expected, entries, hash, at, bytes, status, answer, opening, opened_at, session, workspace, host, moved_to, rest
     )
     WHERE r.id = g.id AND r.entries = g.expected RETURNING r.id`,
    transpose(parts.map(toHeadRow)),
  );
  return new Set(rows.map(({id}) => id));
}

function toHeadRow({run, drafts, before, head, stored}: Part): readonly unknown[] {
  const at = Math.max(...drafts.map((draft) => draft.at));
  const bytes = stored.reduce((sum, {body}) => sum + Buffer.byteLength(body), 0);
  const closing = drafts.findLast((draft) => draft.closing)?.closing;
  const restMs = drafts.at(-1)?.restMs ?? 0;
  return [
    run,
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

function transpose(rows: readonly (readonly unknown[])[]): unknown[][] {
  const [first = []] = rows;
  return first.map((_, column) => rows.map((row) => row[column]));
}

async function insertEntries(query: Query, {at}: Store, parts: readonly Part[]): Promise<void> {
  const rows = parts.flatMap(({run, stored}) =>
    stored.map((entry) => [run, entry.seq, entry.at, entry.mark, entry.body]),
  );
  if (rows.length === 0) return;
  await query(
    `INSERT INTO ${at}entries (run, seq, at, mark, body)
     SELECT * FROM unnest($1::text[], $2::int[], $3::float8[], $4::text[], $5::text[])`,
    transpose(rows),
  );
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
    async (last) =>
      await query(
        `SELECT seq, at, mark, body FROM ${store.at}entries WHERE run = $1 AND seq > $2 ORDER BY seq LIMIT ${PAGE}`,
        [run, last?.['seq'] ?? -1],
      ),
  );
  return {...salvageChain(run, rows.map(toStored), head), head};
}

/** Reads page by page, so that no statement returns everything at once. `read`: the page after a row. */
async function allPages(
  read: (last: Row | undefined) => Promise<readonly Row[]>,
  found: Row[] = [],
): Promise<readonly Row[]> {
  const page = await read(found.at(-1));
  found.push(...page);
  return page.length < PAGE ? found : await allPages(read, found);
}

function toStored({seq, at, mark, body}: Row): StoredEntry {
  return {seq: Number(seq), at: Number(at), mark: String(mark), body: String(body)};
}

async function listRuns({query, at}: Store, of: RowQuery): Promise<InteractionRow[]> {
  const wanted = (['id', 'session', 'workspace'] as const).flatMap((column) =>
    of[column] === undefined ? [] : [{column, value: of[column]}],
  );
  const conditions = wanted.map(({column}, index) => `AND ${column} = $${index + 3}`).join(' ');
  const rows = await allPages(
    async (last) =>
      await query(
        `SELECT * FROM ${at}runs WHERE opening IS NOT NULL
           AND ($1::float8 IS NULL OR (opened_at, number) < ($1, $2::bigint)) ${conditions}
         ORDER BY opened_at DESC, number DESC LIMIT ${PAGE}`,
        [last?.['opened_at'] ?? null, last?.['number'] ?? null, ...wanted.map(({value}) => value)],
      ),
  );
  return rows.map(toInteraction);
}

function toInteraction(row: Row): InteractionRow {
  const {form, request}: {form: string; request: string} = JSON.parse(String(row['opening']));
  const {status, answer, host} = row;
  return {
    id: String(row['id']),
    form,
    request,
    workspace: String(row['workspace']),
    ...(typeof host === 'string' ? {host} : {}),
    openedAt: Number(row['opened_at']),
    updatedAt: Number(row['updated_at']),
    entries: Number(row['entries']),
    session: String(row['session']),
    status: typeof status === 'string' ? status : undefined,
    answer: typeof answer === 'string' ? JSON.parse(answer) : undefined,
    bytes: Number(row['bytes']),
  };
}
