/** The judge of the text of a statement: it reads the text as SQLite does. */

import {DatabaseSync} from 'node:sqlite';

import {array, assert, constantFrom, property, string} from 'fast-check';
import {expect, onTestFinished, test} from 'vitest';

import {confine, openConnection} from '../../../tools/database/perform.ts';
import {bareStatement, judgeStatement} from '../../../tools/database/statement.ts';
import {createFolder, fill} from './shop.ts';

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

const words = (
  'SELECT SELECT SELECT * * FROM FROM users orders totals WHERE id name = 1 ( ) , ; -- /* */ \n ' +
  'INSERT INTO VALUES DELETE UPDATE SET DROP TABLE CREATE VIEW AS WITH x UNION ALL ATTACH VACUUM PRAGMA ' +
  "user_version BEGIN COMMIT EXPLAIN RETURNING REPLACE 'a;b' '-- ' \"id\" [a;b] ` ' \" ? random() " +
  "load_extension('x') \ufeff \u00a0 \uff1b"
).split(' ');

const statement = array(constantFrom(...words), {minLength: 1, maxLength: 14}).map((parts) =>
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
