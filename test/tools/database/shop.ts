/** A small database in a folder of its own, next to a private file, and the tool bound to it. */

import {createHash} from 'node:crypto';
import {mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import type {ToolOutcome} from '../../../machines/domain/tool.ts';
import {createDatabase, type DatabaseOptions} from '../../../tools/database/database.ts';
import {type AnyTool, createToolbox, type ToolContext} from '../../../tools/index.ts';
import {textOf} from '../place.ts';

export interface Folder {
  readonly folder: string;
  readonly path: string;
  /** Names, sizes and hashes of all files, which reveal a write. */
  readonly trace: () => string[];
  readonly remove: () => void;
}

export interface Shop extends Folder {
  readonly tool: AnyTool;
  /** Process groups that were started. */
  readonly groups: number[];
  readonly run: (sql: string, context?: Partial<ToolContext>) => Promise<ToolOutcome>;
}

/** The tool after its file was checked, with its complete description. Rejects as `describe` does. */
export async function openDatabase(options: DatabaseOptions): Promise<AnyTool> {
  const tool = createDatabase(options);
  return {...tool, description: (await tool.describe?.()) ?? tool.description};
}

const goods = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born TEXT, score REAL);
  INSERT INTO users VALUES (1, 'Ada', '1815-12-10', 9.5), (2, '花子', '1990-04-01', 7.25), (3, 'Grace', NULL, NULL);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users, item TEXT, price INTEGER, data BLOB);
  INSERT INTO orders VALUES
    (1, 1, 'engine', 9007199254740993, x'00ff10'), (2, 1, 'card; -- /* deck */', 250, NULL),
    (3, 2, '''); DROP TABLE users;--', 30, x''), (4, 2, 'tea', -5, NULL);
  CREATE TABLE "odd ""table""" ("select" INTEGER, "a;b" TEXT, [c--d] TEXT);
  INSERT INTO "odd ""table""" VALUES (1, 'one', 'uno');
  CREATE VIEW totals AS SELECT name, sum(price) AS total FROM users JOIN orders ON user_id = users.id GROUP BY name;
  CREATE VIEW unsafe AS SELECT load_extension('/tmp/x') AS x;
  CREATE VIRTUAL TABLE notes USING fts5(body);
  INSERT INTO notes VALUES ('the analytical engine'), ('green tea');
`;

/** Empty except for a file next to the place of the database. */
export function createFolder(): Folder {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'database-')));
  writeFileSync(join(folder, 'secret.txt'), 'keep me as I am\n');
  return {
    folder,
    path: join(folder, 'shop.db'),
    trace: () =>
      readdirSync(folder)
        .toSorted()
        .map((name) => describe(folder, name)),
    remove: () => rmSync(folder, {recursive: true}),
  };
}

function describe(folder: string, name: string): string {
  const content = readFileSync(join(folder, name));
  return `${name} ${content.length} ${createHash('sha256').update(content).digest('hex')}`;
}

export function fill(path: string, sql = goods): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

export async function openShop(options: Partial<DatabaseOptions> = {}): Promise<Shop> {
  const place = createFolder();
  fill(place.path);
  return openFolder(place, options);
}

export async function openFolder(
  place: Folder,
  options: Partial<DatabaseOptions> = {},
): Promise<Shop> {
  const tool = await openDatabase({path: place.path, ...options});
  const toolbox = createToolbox([tool]);
  const groups: number[] = [];
  const context: ToolContext = {
    workspace: place.folder,
    signal: new AbortController().signal,
    recovering: false,
    onChild: (group) => void groups.push(group),
  };
  return {
    ...place,
    tool,
    groups,
    run: (sql, more = {}) =>
      toolbox.run(
        {tool: 'database', args: {sql}, workspace: place.folder, repeatability: 'repeatable'},
        {...context, ...more},
      ),
  };
}

/** The rows of a query that succeeded; the outcome of any other. */
export function rowsOf(outcome: ToolOutcome): unknown {
  return outcome.kind === 'succeeded' ? JSON.parse(textOf(outcome)).rows : outcome;
}
