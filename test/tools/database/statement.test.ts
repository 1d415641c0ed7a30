/** Statements that a database tool reads, and those that it refuses. */

import {DatabaseSync} from 'node:sqlite';

import {array, assert, constantFrom, property, string} from 'fast-check';
import {expect, onTestFinished, test, afterAll, afterEach, beforeAll, describe} from 'vitest';

import {confine, openConnection, type Order, perform} from '../../../tools/database/perform.ts';
import {runQuery} from '../../../tools/database/run-query.ts';
import {bareStatement, judgeStatement} from '../../../tools/database/statement.ts';
import {signalGroup} from '../../../tools/run/processes.ts';
import {triples, pairs} from '../../support/rows.ts';
import {verdictOf} from '../place.ts';
import {createFolder, fill, openShop, type Shop} from './shop.ts';

test.each([
  'SELECT 1',
  ' \n\tselect 1 ; ',
  '\ufeffSELECT 1',
  'VALUES (1), (2)',
  'WITH x AS (SELECT 1) SELECT * FROM x;',
  "SELECT '-- no comment; /* none */ DROP TABLE x'",
  "SELECT 'it''s; DELETE'",
  'SELECT "drop", `delete`, [insert; --], "a""; --" FROM t',
  "SELECT replace(a, 'x', 'y'), b AS pragma, attach FROM vacuum",
  'SELECT updated_at, "update", t."delete" FROM t WHERE created > 1 - -1',
  "SELECT a->'$.b', a->>'$.c', 6/2*3 FROM t",
  'SELECT CASE WHEN 1 THEN 2 END',
])('%s is accepted', (sql) => {
  expect(judgeStatement(sql)).toBeUndefined();
});

test.each('ALTER COMMIT CREATE DELETE DROP INSERT INTO TRANSACTION UPDATE'.split(' '))(
  'SQLite takes %s for a name only in quotes, so refusing the word loses nothing',
  (word) => {
    const db = new DatabaseSync(':memory:');
    expect(() => db.prepare(`SELECT 1 AS ${word}`)).toThrow('syntax error');
    expect(db.prepare(`SELECT 1 AS "${word}"`).get()).toEqual({[word]: 1});
    expect(judgeStatement(`SELECT 1 AS ${word.toLowerCase()}`)).toMatchObject({code: 'not_select'});
    db.close();
  },
);

/** Binds as the tool does, in this process: for statements that end. */
function openConfined(): {db: DatabaseSync; trace: () => string[]} {
  const place = createFolder();
  fill(place.path);
  const opened = openConnection(place.path);
  if (!opened.ok) throw new Error(opened.denial.message);
  const {db} = opened.value;
  confine(db);
  onTestFinished(() => {
    db.close();
    place.remove();
  });
  return {db, trace: place.trace};
}

test('any quoted text is a value, and is returned unchanged', () => {
  const {db} = openConfined();
  const hostile = constantFrom("'", '--', '/*', ';', '"', '`', '[', '\\', ' DROP ', '花', '?');
  const text = array(constantFrom('a', hostile), {maxLength: 1}).chain(() =>
    array(hostile, {maxLength: 12}).map((parts) => parts.join('')),
  );
  assert(
    property(text, string({unit: 'binary', maxLength: 20}), (parts, rest) => {
      const value = `${parts}${rest}`.replaceAll('\0', '').toWellFormed();
      const sql = `SELECT '${value.replaceAll("'", "''")}' AS v`;
      expect(judgeStatement(sql)).toBeUndefined();
      expect(db.prepare(sql).get()).toEqual({v: value});
    }),
    {numRuns: 500},
  );
});

const sqlWords = (
  'SELECT SELECT SELECT * * FROM FROM users orders totals WHERE id name = 1 ( ) , ; -- /* */ \n ' +
  'INSERT INTO VALUES DELETE UPDATE SET DROP TABLE CREATE VIEW AS WITH x UNION ALL ATTACH VACUUM PRAGMA ' +
  "user_version BEGIN COMMIT EXPLAIN RETURNING REPLACE 'a;b' '-- ' \"id\" [a;b] ` ' \" ? random() " +
  "load_extension('x') \ufeff \u00a0 \uff1b"
).split(' ');

const statement = array(constantFrom(...sqlWords), {minLength: 1, maxLength: 14}).map((parts) =>
  ['SELECT', ...parts].slice(parts.length % 3 === 0 ? 1 : 0).join(' '),
);

test('a statement that the judge accepts is one statement for SQLite as well, or none', () => {
  const {db} = openConfined();
  const prepared = (sql: string): string | undefined => {
    try {
      return db.prepare(sql).sourceSQL;
    } catch {
      return undefined;
    }
  };
  assert(
    property(statement, (sql) => {
      const bare = bareStatement(sql);
      const seen = judgeStatement(sql) ? bare : (prepared(bare) ?? bare);
      expect(seen).toBe(bare);
    }),
    {numRuns: 3_000},
  );
});

test('no statement on a confined connection changes anything', () => {
  const {db, trace} = openConfined();
  const before = trace();
  const tries = (sql: string): void => {
    try {
      db.prepare(sql).all();
    } catch {
      // Most of them are invalid SQL.
    }
  };
  assert(property(statement, tries), {numRuns: 2_000});
  expect(trace()).toEqual(before);
  expect(db.isTransaction).toBe(false);
});

describe('a refused statement', () => {
  let shop: Shop;
  let untouched: string[];

  beforeAll(async () => {
    // Enough time that no statement here is refused for a lack of it on a busy machine.
    shop = await openShop({queryMs: 30_000});
    untouched = shop.trace();
  });

  afterEach(expectNoTrace);

  afterAll(() => {
    shop.remove();
  });

  function expectNoTrace(): void {
    expect(shop.trace()).toEqual(untouched);
    expect(shop.groups.filter((group) => signalGroup(group, 0))).toEqual([]);
  }

  function remember(group: number): void {
    shop.groups.push(group);
  }

  /** `OUT` stands for the folder of the database. */
  function written(sql: string): string {
    return sql.replaceAll('OUT', shop.folder);
  }

  function unjudged(sql: string): Order {
    return {task: 'query', path: shop.path, sql: written(sql), maxRows: 100};
  }

  describe('statements refused by their text', () => {
    test.each([
      ...triples(`
    INSERT INTO users VALUES (9, 'x', NULL, 1) ⇒ not_select ⇒ denied
    INSERT INTO users (name) VALUES ('x') RETURNING id ⇒ not_select ⇒ denied
    REPLACE INTO users VALUES (1, 'x', NULL, 1) ⇒ not_select ⇒ denied
    UPDATE users SET name = 'x' ⇒ not_select ⇒ denied ¦ DELETE FROM users ⇒ not_select ⇒ denied
    delete from users returning * ⇒ not_select ⇒ denied ¦ DROP TABLE users ⇒ not_select ⇒ denied
    DROP VIEW IF EXISTS totals ⇒ not_select ⇒ denied
    ALTER TABLE users ADD COLUMN x ⇒ not_select ⇒ denied
    CREATE TABLE x (a) ⇒ not_select ⇒ denied
    CREATE TABLE x AS SELECT * FROM users ⇒ not_select ⇒ denied
    CREATE TEMP TABLE x (a) ⇒ not_select ⇒ denied
    CREATE VIEW x AS SELECT 1 ⇒ not_select ⇒ denied
    CREATE INDEX x ON users (name) ⇒ not_select ⇒ denied
    CREATE TRIGGER x AFTER INSERT ON users BEGIN SELECT 1; END ⇒ not_select ⇒ denied
    CREATE VIRTUAL TABLE x USING fts5(a) ⇒ not_select ⇒ denied ¦ REINDEX ⇒ not_select ⇒ denied
    ANALYZE ⇒ not_select ⇒ denied ¦ VACUUM ⇒ not_select ⇒ denied
    VACUUM INTO 'OUT/evil.db' ⇒ not_select ⇒ denied
    ATTACH 'OUT/evil.db' AS e ⇒ not_select ⇒ denied ¦ ATTACH ':memory:' AS m ⇒ not_select ⇒ denied
    ATTACH 'file:OUT/evil.db?mode=rwc' AS e ⇒ not_select ⇒ denied
    DETACH main ⇒ not_select ⇒ denied ¦ BEGIN ⇒ not_select ⇒ denied
    BEGIN EXCLUSIVE ⇒ not_select ⇒ denied ¦ COMMIT ⇒ not_select ⇒ denied
    ROLLBACK ⇒ not_select ⇒ denied ¦ SAVEPOINT a ⇒ not_select ⇒ denied
    RELEASE a ⇒ not_select ⇒ denied ¦ PRAGMA writable_schema = ON ⇒ not_select ⇒ denied
    PRAGMA journal_mode = WAL ⇒ not_select ⇒ denied
    PRAGMA user_version = 7 ⇒ not_select ⇒ denied ¦ PRAGMA query_only = OFF ⇒ not_select ⇒ denied
    PRAGMA table_info(users) ⇒ not_select ⇒ denied
    PRAGMA temp_store_directory = 'OUT' ⇒ not_select ⇒ denied
    WITH x AS (SELECT 9) INSERT INTO users (id) SELECT * FROM x ⇒ not_select ⇒ denied
    WITH x AS (SELECT 1) DELETE FROM users ⇒ not_select ⇒ denied
    WITH x AS (SELECT 1) UPDATE users SET name = 'x' RETURNING id ⇒ not_select ⇒ denied
    WITH x AS (SELECT 1) REPLACE INTO users VALUES (1, 'x', 1, 1) ⇒ not_select ⇒ denied
    SELECT * INTO OUTFILE 'OUT/evil' FROM users ⇒ not_select ⇒ sql_error
    SELECT * FROM users FOR UPDATE ⇒ not_select ⇒ sql_error ¦ (SELECT 1) ⇒ not_select ⇒ sql_error
    TABLE users ⇒ not_select ⇒ sql_error ¦ .read OUT/secret.txt ⇒ not_select ⇒ sql_error
    COPY users TO PROGRAM 'touch OUT/evil' ⇒ not_select ⇒ sql_error
    SELECT 1; DROP TABLE users ⇒ several_statements ⇒ several_statements
    SELECT 1; SELECT 2 ⇒ several_statements ⇒ several_statements
    SELECT 1;; ⇒ several_statements ⇒ several_statements
    SELECT 1;\ufeffDELETE FROM users ⇒ several_statements ⇒ several_statements
    SELECT 'a'';' ; DELETE FROM users ⇒ several_statements ⇒ several_statements
    SELECT 1 AS "a"";" ; DELETE FROM users ⇒ several_statements ⇒ several_statements
    SELECT 1 AS \`a\`\`;\` ; DELETE FROM users ⇒ several_statements ⇒ several_statements
    SELECT 1 AS [a;] ; DELETE FROM users ⇒ several_statements ⇒ several_statements
    COMMIT; DELETE FROM users ⇒ not_select ⇒ denied
    /* SELECT */ DELETE FROM users ⇒ comment ⇒ denied
    SELECT 1 /* ; */ ; DELETE FROM users ⇒ comment ⇒ several_statements
    ＤＲＯＰ TABLE users ⇒ not_select ⇒ sql_error
    DELETE\u00a0FROM users ⇒ not_select ⇒ sql_error ¦ SEL\u200bECT 1 ⇒ not_select ⇒ sql_error
  `),
      ...triples(String.raw`
    SELECT '\'; DELETE FROM users; --' ⇒ several_statements ⇒ several_statements
  `),
      ['SELECT 1;--\nDELETE FROM users', 'comment', 'several_statements'],
      ['--\nDROP TABLE users', 'comment', 'denied'],
      ['\ufeffDELETE FROM users', 'not_select', 'denied'],
      ["SELECT 'a' || load_extension('OUT/x') -- ", 'comment', 'denied'],
    ])('%s is refused, with and without the judge', async (sql, judged, bare) => {
      const before = shop.groups.length;
      expect(verdictOf(await shop.run(written(sql)))).toBe(`refused/${judged}`);
      expect(shop.groups).toHaveLength(before);
      expect(verdictOf(perform(unjudged(sql)))).toBe(`refused/${bare}`);
    });

    test.each([
      "VACUUM INTO 'OUT/evil.db'",
      "ATTACH 'OUT/evil.db' AS e",
      'PRAGMA journal_mode = WAL',
      'CREATE TEMP TABLE x (a)',
      "WITH x AS (SELECT 1) UPDATE users SET name = 'x' RETURNING id",
      'DELETE FROM users',
    ])('%s is refused by the process that reads the database', async (sql) => {
      expect(verdictOf(await runQuery(unjudged(sql), {limitMs: 2_000, onChild: remember}))).toBe(
        'refused/denied',
      );
    });

    test.each([
      ['EXPLAIN SELECT 1', 'not_select', 'succeeded'],
      ['EXPLAIN DELETE FROM users', 'not_select', 'refused/denied'],
      ['SELECT 1 -- one', 'comment', 'succeeded'],
      ['SELECT/**/1', 'comment', 'succeeded'],
      ['SELECT 1 /*', 'comment', 'refused/sql_error'],
      ['SELECT 1--1', 'comment', 'succeeded'],
      ['SELECT ?', 'parameter', 'succeeded'],
      ['SELECT :a, @b, $c', 'parameter', 'succeeded'],
    ])('%s is refused, and is harmless without the judge', async (sql, judged, bare) => {
      expect(verdictOf(await shop.run(sql))).toBe(`refused/${judged}`);
      expect(verdictOf(perform(unjudged(sql)))).toBe(bare);
    });

    test.each([
      ['nothing', ''],
      ['a blank', ' \n'],
      ['a NUL character', 'SELECT 1\0; DROP TABLE users'],
      ['half of a character', "SELECT '\ud800'"],
      ['100 kB', `SELECT '${'x'.repeat(100_000)}'`],
      ['100 kB of Japanese', `SELECT '${'花'.repeat(34_000)}'`],
      ['5 MB', `SELECT ${'1,'.repeat(2_500_000)}1`],
    ])('%s is not an argument', async (_, sql) => {
      const before = shop.groups.length;
      expect(verdictOf(await shop.run(sql))).toBe('refused/schema');
      expect(shop.groups).toHaveLength(before);
    });

    test.each([
      ['INSERT INTO users VALUES (1)', /INSERT is not allowed; only SELECT is/],
      ['SELECT 1; SELECT 2', /one statement/],
      ['SELECT 1 -- why', /comments \(--\)/],
      ['\u001b[2J', /^\\x1b is not allowed/],
      ['SELECT ?', /write the value/],
      [';', /only SELECT/],
    ])('%j is refused with a word that a model can act on', async (sql, words) => {
      expect(await shop.run(sql)).toMatchObject({message: expect.stringMatching(words)});
    });
  });

  describe('faults that only SQLite detects', () => {
    test.each(
      pairs(`
    SELECT load_extension('OUT/evil.so') ⇒ denied
    SELECT name FROM users WHERE load_extension('OUT/evil.so') IS NULL ⇒ denied
    SELECT * FROM unsafe ⇒ denied ¦ SELECT fts3_tokenizer('simple') ⇒ denied
    SELECT sqlite_log(1, 'x') ⇒ denied ¦ SELECT sqlite_compileoption_used('X') ⇒ denied
    SELECT readfile('/etc/passwd') ⇒ sql_error ¦ SELECT writefile('OUT/evil', 'x') ⇒ sql_error
    SELECT edit('x') ⇒ sql_error ¦ SELECT eval('DELETE FROM users') ⇒ sql_error
    SELECT * FROM fsdir('/') ⇒ sql_error ¦ SELECT * FROM sqlite_dbpage ⇒ sql_error
    SELECT * FROM dbstat ⇒ denied ¦ SELECT * FROM pragma_table_info('users') ⇒ denied
    SELECT count(*) FROM pragma_table_list ⇒ denied ¦ SELECT * FROM pragma_database_list ⇒ denied
    SELECT (SELECT user_version FROM pragma_user_version) ⇒ denied
    SELECT * FROM pragma_journal_mode('wal') ⇒ denied
    SELECT 'unfinished; DELETE FROM users ⇒ sql_error
    SELECT "unfinished; DELETE FROM users ⇒ sql_error ¦ ſELECT 1 ⇒ sql_error
    SELECT 1； DELETE_FROM users ⇒ sql_error ¦ SELECT ⇒ sql_error
    SELECT x FROM (VALUES (1)) WITH ⇒ sql_error
  `),
    )('%s is refused, after the judge', (sql, code) => {
      expect(judgeStatement(written(sql))).toBeUndefined();
      expect(verdictOf(perform(unjudged(sql)))).toBe(`refused/${code}`);
    });

    test('are also refused by the process that reads the database', async () => {
      expect(verdictOf(await shop.run('SELECT * FROM unsafe'))).toBe('refused/denied');
      expect(verdictOf(await shop.run('SELECT'))).toBe('refused/sql_error');
    });
  });

  describe('statements beyond a size', () => {
    const wide = "printf('%.*c', 900000, 'x')";
    const orders = Array.from({length: 20}, (_, index) => `o${index}`);
    const endless = 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c)';

    test.each([
      ['a blob of a gigabyte', 'SELECT randomblob(1000000000)'],
      ['a gigabyte of zeros', 'SELECT zeroblob(1000000000)'],
      ['a gigabyte of text', "SELECT printf('%.*c', 900000000, 'x')"],
      ['a number of a gigabyte', "SELECT printf('%900000000d', 1)"],
      ['text that grows', "SELECT replace(printf('%.*c', 9000000, 'x'), 'x', 'xx')"],
      ['hexadecimal text that grows', 'SELECT hex(zeroblob(9000000))'],
      ['JSON that grows', `SELECT json_array(${Array(12).fill(wide).join()})`],
      ['a pattern of LIKE of 50 kB', `SELECT 'a' LIKE '${'%_'.repeat(25_000)}'`],
      ['a pattern of GLOB of 50 kB', `SELECT 'a' GLOB '${'*?'.repeat(25_000)}'`],
      ['2,000 parentheses', `SELECT ${'('.repeat(2_000)}1${')'.repeat(2_000)}`],
      ['10,000 ORs', `SELECT 1 WHERE ${Array(10_000).fill('1=2').join(' OR ')}`],
      ['a sum of 600 numbers', `SELECT ${Array(600).fill('1').join('+')}`],
      ['101 arms of a union', Array(101).fill('SELECT 1').join(' UNION ALL ')],
      ['101 arguments', `SELECT max(${Array(101).fill('1').join()})`],
      ['251 columns', `SELECT ${Array(251).fill('1').join()}`],
      ['a join of 65 tables', `SELECT 1 FROM ${Array(65).fill('users').join(' CROSS JOIN ')}`],
    ])('%s is refused for its size', (_, sql) => {
      expect(judgeStatement(sql) ?? perform(unjudged(sql))).toMatchObject({
        kind: 'refused',
        code: 'limit',
      });
    });

    test.each([
      ['a blob of a gigabyte', 'SELECT randomblob(1000000000)'],
      ['a row of 90 MB', `SELECT ${Array(100).fill(wide).join()}, ${Array(100).fill(wide).join()}`],
      [
        'a set without end',
        `WITH RECURSIVE c(n, s) AS (SELECT 1, '' UNION SELECT n + 1, ${wide} || n FROM c) SELECT count(*) FROM c`,
      ],
      [
        'a table without end',
        `${endless}, d AS MATERIALIZED (SELECT ${wide} AS s FROM c) SELECT count(s) FROM d`,
      ],
      ['an order without end', `${endless} SELECT ${wide} || n AS s FROM c ORDER BY s`],
    ])('%s is refused for its size, in a process', async (_, sql) => {
      expect(await shop.run(sql)).toMatchObject({kind: 'refused', code: 'limit'});
    });

    test.each([
      ['a recursion without end', `${endless} SELECT count(*) FROM c`],
      ['an aggregate without end', `${endless} SELECT length(group_concat(${wide})) FROM c`],
      ['a filter that finds nothing', `${endless} SELECT n FROM c WHERE n < 0`],
      [
        'a product of everything',
        `SELECT count(*) FROM ${orders.map((name) => `orders ${name}`).join()} WHERE o0.id + o19.id < 0`,
      ],
    ])('%s is stopped for its time', async (_, sql) => {
      const outcome = await runQuery(unjudged(sql), {limitMs: 300, onChild: remember});
      expect(outcome).toMatchObject({kind: 'refused', code: 'timeout'});
    });
  });
});
