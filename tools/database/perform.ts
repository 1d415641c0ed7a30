/**
 * Carries out an order on a database, on a connection that leaves no trace and can only read its own tables. Runs in a process
 * of its own, because a query can take it down.
 */

import {closeSync, openSync, readSync, realpathSync, statSync} from 'node:fs';
import {constants, DatabaseSync} from 'node:sqlite';
import {pathToFileURL} from 'node:url';

import {didYouMean} from '../../machines/domain/nearest.ts';
import {type Attempt, type Denial, errorCode, failed, refused} from '../containment/denial.ts';
import {escapeLine} from '../escape.ts';
import {columnsOf, describeSchema, rowsToJson} from './database-text.ts';
import {damaged, severalStatements, tooMuchMemory, unrecovered, writtenTo} from './statement.ts';

export type Order =
  /** Replies with the schema if the database is sound. */
  | {readonly task: 'check'; readonly path: string}
  /** Replies with the rows. */
  | {
      readonly task: 'query';
      readonly path: string;
      /** Without a semicolon at its end. */
      readonly sql: string;
      readonly maxRows: number;
    };

export type Reply = {readonly kind: 'succeeded'; readonly text: string} | Denial;

/** Throws only for bugs. */
export function perform(given: Order): Reply {
  try {
    const opened = openConnection(given.path);
    if (!opened.ok) return opened.denial;
    const reply = answer(given, opened.value.db);
    return opened.value.isSteady() ? reply : changed;
  } catch (error) {
    return faultToDenial(error);
  }
}

function answer(given: Order, db: DatabaseSync): Reply {
  try {
    return given.task === 'check' ? check(db, given.path) : query(db, given);
  } catch (error) {
    return faultToDenial(error, db);
  }
}

function check(db: DatabaseSync, path: string): Reply {
  const finding = readPragma(db, 'quick_check(1)');
  if (finding !== 'ok') return damaged(String(finding));
  // SQLite fills the end of a page that was cut off with zeros.
  const isWhole = statSync(path).size % Number(readPragma(db, 'page_size')) === 0;
  return isWhole ? {kind: 'succeeded', text: describeSchema(db)} : damaged('the last page is cut');
}

function readPragma(db: DatabaseSync, name: string): unknown {
  return Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];
}

function query(db: DatabaseSync, {sql, maxRows}: Extract<Order, {task: 'query'}>): Reply {
  confine(db);
  const statement = db.prepare(sql, {readBigInts: true, returnArrays: true});
  if (statement.sourceSQL !== sql) return severalStatements;
  const names = statement.columns().map(({name}) => name);
  return {kind: 'succeeded', text: rowsToJson(names, valuesOf(statement.iterate()), maxRows)};
}

/** A row is typed as an object, but is a list already. */
function* valuesOf(rows: ReturnType<ReturnType<DatabaseSync['prepare']>['iterate']>) {
  for (const row of rows) yield Object.values(row);
}

const changed = writtenTo('another program wrote to the database while it was read');

/** How long to wait for a writer. */
const lockMs = 500;

/** The offset of the byte in a file's header that says whether it is used with a write-ahead log. */
const modeAt = 18;
const logMode = 2;

interface Connection {
  readonly db: DatabaseSync;
  /** False when a program wrote in the meantime without a lock that would have prevented it: the rows may be of two states. */
  readonly isSteady: () => boolean;
}

/** No byte of the database is written, and no file is made beside it. Throws the errors of SQLite and of the file system. */
export function openConnection(given: string): Attempt<Connection> {
  const denial = judgeFile(given);
  if (denial) return {ok: false, denial};
  // SQLite keeps a database's other files beside the target of a link.
  const path = realpathSync(given);
  const way = wayIn(path);
  if (way === 'barred') return {ok: false, denial: unrecovered('its log has no index (-shm)')};
  const before = stateOf(path);
  const url = pathToFileURL(path);
  if (way === 'immutable') url.search = 'immutable=1';
  const db = new DatabaseSync(url, {readOnly: true, timeout: lockMs});
  for (const setting of settings) db.exec(`PRAGMA ${setting}`);
  return {ok: true, value: {db, isSteady: () => way === 'locked' || stateOf(path) === before}};
}

const settings = [
  'temp_store = MEMORY',
  'query_only = ON',
  'trusted_schema = OFF',
  'cell_size_check = ON',
];

/**
 * A reader of a database with a write-ahead log creates the log and its index if they are missing, or fails if it
 * may not. Without a log no program is writing, so SQLite may treat the file as immutable. If a log has no index, its writer
 * locks it exclusively or is gone: then another reader would remove the log.
 */
function wayIn(path: string): 'locked' | 'immutable' | 'barred' {
  const [log, index, journal] = ['-wal', '-shm', '-journal'].map((end) => sizeOf(path + end));
  const isManaged = log !== undefined && index !== undefined;
  if (!usesLog(path) || isManaged || journal) return 'locked';
  return log ? 'barred' : 'immutable';
}

function judgeFile(path: string): Denial | undefined {
  const stat = statSync(path, {throwIfNoEntry: false});
  if (!stat) return failed('io', 'there is no such file; check the path');
  if (!stat.isFile()) return failed('io', 'not a file; name the file of the database');
  return stat.size === 0 ? damaged('the file is empty') : undefined;
}

function usesLog(path: string): boolean {
  const header = Buffer.alloc(modeAt + 2);
  const descriptor = openSync(path, 'r');
  try {
    readSync(descriptor, header, 0, header.length, 0);
  } finally {
    closeSync(descriptor);
  }
  return header.subarray(modeAt).includes(logMode);
}

function sizeOf(path: string): number | undefined {
  return statSync(path, {throwIfNoEntry: false})?.size;
}

function stateOf(path: string): string {
  return ['', '-wal', '-shm', '-journal']
    .map((end) => statSync(path + end, {bigint: true, throwIfNoEntry: false}))
    .map((stat) => (stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs}` : 'none'))
    .join('; ');
}

/** `length` applies to any text, blob or row, in bytes. `attach` 0 also rules out VACUUM. */
const limits = {
  length: 10_000_000,
  sqlLength: 100_000,
  column: 250,
  exprDepth: 500,
  compoundSelect: 100,
  vdbeOp: 100_000,
  functionArg: 100,
  attach: 0,
  likePatternLength: 1_000,
  variableNumber: 100,
  triggerDepth: 1,
};

/** None of them accesses a file, a setting or the connection's state; their results keep to `limits.length`. */
const functions: ReadonlySet<string> = new Set(
  `abs acos acosh asin asinh atan atan2 atanh avg bm25 ceil ceiling char coalesce concat concat_ws cos cosh count
  cume_dist current_date current_time current_timestamp date datetime degrees dense_rank exp first_value floor format
  glob group_concat hex highlight if ifnull iif instr json json_array json_array_insert json_array_length
  json_error_position json_extract json_group_array json_group_object json_insert json_object json_patch json_pretty
  json_quote json_remove json_replace json_set json_type json_valid jsonb jsonb_array jsonb_array_insert jsonb_extract
  jsonb_group_array jsonb_group_object jsonb_insert jsonb_object jsonb_patch jsonb_remove jsonb_replace jsonb_set
  julianday lag last_value lead length like likelihood likely ln log log10 log2 lower ltrim match matchinfo max median
  min mod nth_value ntile nullif octet_length offsets percent_rank percentile percentile_cont percentile_disc pi pow
  power printf quote radians random randomblob rank replace round row_number rtrim sign sin sinh snippet sqlite_version
  sqrt strftime string_agg substr substring sum tan tanh time timediff total trim trunc typeof unhex unicode unistr
  unistr_quote unixepoch unlikely upper zeroblob -> ->>`.split(/\s+/),
);

/** Pragmas that the modules of full-text search read from their database. */
const askedByModules: ReadonlySet<string> = new Set(['data_version', 'page_size']);

const tablesOfSqlite = ['sqlite_master', 'sqlite_temp_master', 'json_each', 'json_tree'];

/** Every name that may have been meant, for suggestions. */
const functionNames: Iterable<string> = functions;

/** Denies everything that is not known to be harmless. Call it after the schema is loaded: a view may be longer than a query. */
export function confine(db: DatabaseSync): void {
  const tables = new Set([...tableNames(db), ...tablesOfSqlite]);
  db.enableLoadExtension(false);
  db.enableDefensive(true);
  Object.assign(db.limits, limits);
  const allowed: Readonly<
    Record<number, (first: string | null, second: string | null) => boolean>
  > = {
    [constants.SQLITE_SELECT]: () => true,
    [constants.SQLITE_RECURSIVE]: () => true,
    // No column is named when only rows are counted; the table may then be a subquery's name.
    [constants.SQLITE_READ]: (table, column) => column === '' || tables.has(table ?? ''),
    [constants.SQLITE_FUNCTION]: (_, name) => functions.has(name ?? ''),
    [constants.SQLITE_PRAGMA]: (name, value) => value === null && askedByModules.has(name ?? ''),
  };
  db.setAuthorizer((action, first, second) =>
    allowed[action]?.(first, second) === true ? constants.SQLITE_OK : constants.SQLITE_DENY,
  );
}

/** Tables and views, including SQLite's internal ones. */
function tableNames(db: DatabaseSync): string[] {
  return db
    .prepare("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")
    .all()
    .map(({name}) => String(name));
}

const maxMessage = 300;

/** Suggestions use the columns of at most this many tables. */
const maxTables = 500;

/** Rethrows errors that neither SQLite nor the file system reported. */
function faultToDenial(error: unknown, db?: DatabaseSync): Denial {
  const code = errorCode(error);
  if (!(error instanceof Error) || code === undefined) throw error;
  const message = escapeLine(error.message).slice(0, maxMessage);
  const result = 'errcode' in error ? Number(error.errcode) : 0;
  // The low byte of an extended result code is the primary one.
  const known = knownFaults[result & 0xff];
  return known ? known(message) : statementFault(message, db);
}

const knownFaults: Readonly<Record<number, (message: string) => Denial>> = {
  0: unreadable,
  3: unreadable,
  5: locked,
  6: locked,
  7: () => tooMuchMemory,
  8: () => unrecovered('changes wait in its journal or log'),
  10: unreadable,
  11: damaged,
  13: unreadable,
  14: unreadable,
  18: (message) => refused('limit', `${message}; at most 10 MB a value and 100 KB a statement`),
  23: (message) =>
    refused('denied', `${message}; only SELECT from the tables and views is allowed`),
  26: damaged,
};

function unreadable(message: string): Denial {
  return failed('io', `${message}; check that the file and its folder can be read`);
}

function locked(): Denial {
  return writtenTo('another program is writing to the database');
}

const beyondLimit =
  /too (?:large|many|complex|big)|^at most \d+ tables|^parser stack overflow|^LIKE or GLOB/;

function statementFault(message: string, db?: DatabaseSync): Denial {
  if (beyondLimit.test(message)) return refused('limit', `${message}; write a smaller query`);
  if (/^(?:not authorized|unsafe use of)/.test(message)) return refused('denied', message);
  return refused('sql_error', message + (db ? suggestion(message, db) : ''));
}

function suggestion(message: string, db: DatabaseSync): string {
  const [, kind = '', name = ''] =
    /^no such (table|column|function): "?(.*?)"?(?: - should this .*)?$/.exec(message) ?? [];
  const last = name.split('.').at(-1) ?? '';
  db.setAuthorizer(null);
  if (kind === 'table') return didYouMean(last, tableNames(db));
  if (kind === 'function') return didYouMean(last, functionNames);
  if (kind === '') return '';
  const tables = tableNames(db).slice(0, maxTables);
  return didYouMean(
    last,
    new Set(tables.flatMap((table) => columnsOf(db, table).map((c) => c.name))),
  );
}
