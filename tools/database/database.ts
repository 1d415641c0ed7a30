/** database: one SELECT on a SQLite database that the user named. */

import {realpathSync} from 'node:fs';
import {basename, relative, resolve, sep} from 'node:path';

import {z} from 'zod';

import {AppError} from '../../machines/domain/app-error.ts';
import type {ToolOutcome} from '../../machines/domain/tool.ts';
import {attempt, type Denial, refused} from '../containment/denial.ts';
import {openable} from '../containment/own-state.ts';
import {escapeLine} from '../escape.ts';
import {defineTool, type ToolDefinition} from '../tool.ts';

const maxStatementBytes = 100_000;

const parameters = z.lazy(() =>
  z.strictObject({
    sql: z
      .string()
      .regex(/\S/, 'is blank')
      .refine((text) => !text.includes('\0'), 'contains a NUL character')
      .refine((text) => text.isWellFormed(), 'contains half of a character')
      .refine(
        (text) => Buffer.byteLength(text) <= maxStatementBytes,
        `is longer than ${maxStatementBytes} bytes`,
      )
      .describe('One SELECT in the dialect of SQLite.'),
  }),
);

type Args = z.infer<typeof parameters>;

export interface DatabaseOptions {
  /** Of a SQLite file, relative to the current folder. */
  readonly path: string;
  /** A folder that others write to: files in it may not lead out of it. Absent: there is none. */
  readonly within?: string | undefined;
  /** The maximum number of rows per query. Default 100. */
  readonly maxRows?: number | undefined;
  /** The time limit of a query. Default 2 seconds. */
  readonly queryMs?: number | undefined;
  /** The time limit for checking the whole file. Default 30 seconds. */
  readonly checkMs?: number | undefined;
}

/**
 * The tool, without access to the file: its `describe` reads the file and rejects with AppError `config` if
 * the file is missing, is not a sound SQLite database, leads out of the folder, or cannot be read now. Never writes to it.
 */
export function createDatabase(options: DatabaseOptions): ToolDefinition<Args> {
  const {within, maxRows = 100, queryMs = 2_000, checkMs = 30_000} = options;
  const path = resolve(options.path);
  const offer = offerOf({path, maxRows, queryMs});
  return defineTool({
    name: 'database',
    description: offer,
    describe: async () => {
      const denial = unaskable(path, within);
      if (denial) throw new AppError('config', denial.message);
      return `${offer} The tables and views:\n${await readSchema(path, checkMs)}`;
    },
    parameters,
    reaches: 'workspace',
    quotes: false,
    runs: {argument: 'sql', language: 'sql'},
    risk: 'low',
    repeatability: 'repeatable',
    timeoutMs: queryMs + 15_000,
    run: async ({sql}, {signal, onChild}): Promise<ToolOutcome> => {
      const {bareStatement, judgeStatement} = await import('./statement.ts');
      const {runQuery} = await import('./run-query.ts');
      const order = {task: 'query', path, sql: bareStatement(sql), maxRows} as const;
      const outcome =
        judgeStatement(sql) ??
        unaskable(path, within) ??
        (await runQuery(order, {limitMs: queryMs, signal, onChild}));
      if (outcome.kind !== 'succeeded') return outcome;
      const isAboutTables = /\bsqlite_(?:schema|master)\b/i.test(order.sql);
      const source = {place: basename(path), quote: order.sql};
      return {...outcome, sources: isAboutTables ? [] : [source]};
    },
  });
}

/** Without an authorizer, nothing limits what a query reads. */
function unaskable(path: string, within: string | undefined): Denial | undefined {
  const {DatabaseSync} = process.getBuiltinModule('node:sqlite');
  if ('setAuthorizer' in DatabaseSync.prototype) {
    return ownDenial(path) ?? straying(path, within);
  }
  return refused('unsupported', 'a database can be asked with Node 24.15 or newer only');
}

/** A process of its own asks the database, and that process does not know our files. */
function ownDenial(path: string): Denial | undefined {
  const allowed = attempt(path, () => openable(path));
  return allowed.ok ? undefined : allowed.denial;
}

/** A link that came with the files of the workspace could lead to the database of another person. */
function straying(path: string, within: string | undefined): Denial | undefined {
  if (within === undefined || !isIn(within, path)) return undefined;
  const reached = realPathOf(path);
  const folder = realPathOf(within);
  if (reached === undefined || folder === undefined || isIn(folder, reached)) return undefined;
  return refused(
    'outside',
    `the database ${escapeLine(path)} is a link out of the workspace, to ${escapeLine(reached)}; name that file itself if it is meant`,
  );
}

function isIn(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`);
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

async function readSchema(path: string, limitMs: number): Promise<string> {
  const {runQuery} = await import('./run-query.ts');
  const outcome = await runQuery({task: 'check', path}, {limitMs});
  if (outcome.kind === 'succeeded') return outcome.text;
  const reason =
    'code' in outcome && outcome.code === 'timeout'
      ? `checking it took longer than ${limitMs / 1_000} s; name a smaller database`
      : outcome.message;
  throw new AppError('config', `the database ${escapeLine(path)}: ${reason}`);
}

interface Bounds {
  readonly path: string;
  readonly maxRows: number;
  readonly queryMs: number;
}

function offerOf({path, maxRows, queryMs}: Bounds): string {
  return [
    `Query the SQLite database ${escapeLine(basename(path))} with one SELECT (WITH and VALUES too), without comments, in ${queryMs / 1_000} s.`,
    `Returns JSON {"columns", "rows"}, ${maxRows} rows at most; if there are more, "truncated" is true and "note" says why.`,
    `Integers beyond 2^53 and infinities come as text, blobs as x'00' in hex, and long values end with a note of the cut.`,
    `A column named twice is numbered ("id", "id:2").`,
  ].join(' ');
}
