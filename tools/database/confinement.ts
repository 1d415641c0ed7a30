/** Limits a statement on a confined connection to reading this database's own tables and computing. */

import {constants, type DatabaseSync} from 'node:sqlite';

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
export const functionNames: Iterable<string> = functions;

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
export function tableNames(db: DatabaseSync): string[] {
  return db
    .prepare("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")
    .all()
    .map(({name}) => String(name));
}
