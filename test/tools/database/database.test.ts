/** The database tool: its description, its results, and how it ends. */

import {readFileSync} from 'node:fs';

import {array, assert, asyncProperty, constantFrom} from 'fast-check';
import {afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi} from 'vitest';

import {createDatabase} from '../../../tools/database/database.ts';
import {createToolbox} from '../../../tools/index.ts';
import {signalGroup} from '../../../tools/run/processes.ts';
import {isDeep} from '../../support/depth.ts';
import {textOf, verdictOf} from '../place.ts';
import {createFolder, fill, openDatabase, openFolder, openShop, rowsOf, type Shop} from './shop.ts';

let shop: Shop;
let untouched: string[];

beforeAll(async () => {
  shop = await openShop();
  untouched = shop.trace();
});

afterEach(() => {
  vi.unstubAllEnvs();
  expectNoTrace();
});

afterAll(() => {
  shop.remove();
});

function expectNoTrace(): void {
  expect(shop.trace()).toEqual(untouched);
  expect(shop.groups.filter((group) => signalGroup(group, 0))).toEqual([]);
}

describe('the offer', () => {
  test('is a repeatable tool of low risk with one argument', async () => {
    const toolbox = createToolbox([shop.tool]);
    expect(toolbox.infos()).toEqual([
      {
        name: 'database',
        risk: 'low',
        repeatability: 'repeatable',
        timeoutMs: 17_000,
        reaches: 'workspace',
        quotes: false,
        runs: {argument: 'sql', language: 'sql'},
      },
    ]);
    expect((await toolbox.offered('database'))?.schema).toMatchObject({
      required: ['sql'],
      additionalProperties: false,
    });
  });

  test.each([
    ['plain names', (at: number) => `v${at}`],
    ['names that need quotes', (at: number) => `"v ""${at}"`],
    ['names of nothing but quotes', (at: number) => `"${'""'.repeat(at + 1)}"`],
  ])(
    'does not count the rows of a view that stands for a thousand million others, with %s',
    async (_, named) => {
      const place = createFolder();
      onTestFinished(place.remove);
      const views = Array.from({length: 31}, (_view, at) =>
        at === 0
          ? `CREATE VIEW ${named(0)} AS SELECT 1 AS one`
          : `CREATE VIEW ${named(at)} AS SELECT * FROM ${named(at - 1)} UNION ALL SELECT * FROM ${named(at - 1)}`,
      );
      fill(place.path, `CREATE TABLE kept (id INTEGER); ${views.join('; ')}`);
      const {description} = await openDatabase({path: place.path, checkMs: 10_000});
      expect(description).toContain('\nkept(id INTEGER)');
      expect(description.match(/\([^)]*\[cannot be read\]\)/g)?.length).toBeGreaterThan(20);
    },
  );

  test('names the tables and views with their columns and types, without values', () => {
    const {description} = shop.tool;
    expect(description.split('\n').slice(1)).toEqual([
      'notes(body)',
      '"odd ""table"""("select" INTEGER, "a;b" TEXT, "c--d" TEXT)',
      'orders(id INTEGER, user_id INTEGER, item TEXT, price INTEGER, data BLOB)',
      'view totals(name TEXT, total)',
      'view unsafe([cannot be read])',
      'users(id INTEGER, name TEXT, born TEXT, score REAL)',
    ]);
    expect(description).toContain('shop.db');
    expect(description).not.toMatch(/Ada|engine|250/);
  });

  test('can be made before the file is read, and is complete on request', async () => {
    const toolbox = createToolbox([createDatabase({path: shop.path})]);
    expect((await toolbox.offered('database'))?.description).toBe(shop.tool.description);
    await expect(
      createToolbox([createDatabase({path: '/no/such.db'})]).ready(),
    ).rejects.toMatchObject({
      code: 'config',
      message: 'the database /no/such.db: there is no such file; check the path',
    });
  });

  test('stays small, and names its omissions', async () => {
    const place = createFolder();
    const columns = Array.from({length: 300}, (_, index) => `column_${index} INTEGER`).join();
    const tables = Array.from({length: 100}, (_, index) => `CREATE TABLE t${index} (${columns});`);
    const long = `CREATE TABLE ${'long'.repeat(50)} ("${'name'.repeat(50)}" INT, "a b" INT);`;
    fill(place.path, `BEGIN; ${long} ${tables.join('')} COMMIT;`);
    const {tool} = await openFolder(place);
    place.remove();
    expect(Buffer.byteLength(tool.description)).toBeLessThan(9_000);
    expect(tool.description).toContain(
      `\n${'long'.repeat(15)}…(${'name'.repeat(15)}… INT, "a b" INT)\n`,
    );
    expect(tool.description).toMatch(/\[and \d+ more columns\]/);
    expect(tool.description).toMatch(
      /\[and 9\d more tables and views: SELECT name FROM sqlite_schema\]$/,
    );
  });

  test('escapes characters that could control a terminal or hide', async () => {
    const place = createFolder();
    fill(place.path, 'CREATE TABLE "a\u001b[2J\nb" ("c\u202e" "d\r")');
    const {tool} = await openFolder(place);
    place.remove();
    expect(tool.description).toMatch(/\n"a\\x1b\[2J\\nb"\("c<U\+202E>" d\\r\)$/);
  });
});

describe('finding', () => {
  test.each([
    ['a number', 'SELECT 1 AS one', [{one: 1}]],
    ['a trailing semicolon', ' SELECT 2 AS two ; \n', [{two: 2}]],
    ['a filter', "SELECT id FROM users WHERE name = 'Ada'", [{id: 1}]],
    ['Japanese', "SELECT name AS 名前 FROM users WHERE name LIKE '花%'", [{名前: '花子'}]],
    ['NULLs', 'SELECT id, born FROM users WHERE score IS NULL', [{id: 3, born: null}]],
    ['nothing', 'SELECT * FROM users WHERE id > 9', []],
    [
      'a join',
      'SELECT u.name, o.item FROM users u JOIN orders o ON o.user_id = u.id WHERE o.price < 0',
      [{name: '花子', item: 'tea'}],
    ],
    [
      'an outer join with groups',
      'SELECT u.id, count(o.id) AS n FROM users u LEFT JOIN orders o ON o.user_id = u.id GROUP BY u.id HAVING n <> 2',
      [{id: 3, n: 0}],
    ],
    ['a view', "SELECT total FROM totals WHERE name = '花子'", [{total: 25}]],
    [
      'text like SQL',
      "SELECT id FROM orders WHERE item IN ('card; -- /* deck */', '''); DROP TABLE users;--') ORDER BY id",
      [{id: 2}, {id: 3}],
    ],
    [
      'text that holds it',
      'SELECT item FROM orders WHERE id = 3',
      [{item: "'); DROP TABLE users;--"}],
    ],
    [
      'quoted names',
      'SELECT "select", `a;b`, [c--d] FROM "odd ""table"""',
      [{select: 1, 'a;b': 'one', 'c--d': 'uno'}],
    ],
    ['a union', 'SELECT 1 AS x UNION SELECT 2 UNION SELECT 1 ORDER BY x DESC', [{x: 2}, {x: 1}]],
    ['difference', 'SELECT id FROM users EXCEPT SELECT user_id FROM orders', [{id: 3}]],
    [
      'values',
      "VALUES (1, 'a'), (2, 'b')",
      [
        {column1: 1, column2: 'a'},
        {column1: 2, column2: 'b'},
      ],
    ],
    [
      'a subquery',
      'SELECT name FROM users u WHERE EXISTS (SELECT 1 FROM orders WHERE user_id = u.id AND price = 30)',
      [{name: '花子'}],
    ],
    [
      'CASE',
      "SELECT CASE WHEN score > 8 THEN 'high' WHEN score IS NULL THEN 'none' ELSE 'low' END AS c FROM users ORDER BY id",
      [{c: 'high'}, {c: 'low'}, {c: 'none'}],
    ],
    [
      'a common table expression',
      'WITH cheap AS (SELECT * FROM orders WHERE price < 100) SELECT count(*) AS n, min(price) AS low FROM cheap',
      [{n: 2, low: -5}],
    ],
    [
      'a recursion that ends',
      'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 100000) SELECT sum(n) AS s FROM c',
      [{s: 5_000_050_000}],
    ],
    [
      'a window',
      'SELECT id, row_number() OVER (PARTITION BY user_id ORDER BY price DESC) AS place FROM orders ORDER BY id',
      [
        {id: 1, place: 1},
        {id: 2, place: 2},
        {id: 3, place: 1},
        {id: 4, place: 2},
      ],
    ],
    [
      'JSON',
      `SELECT json_extract('{"a":{"b":[1,2]}}', '$.a.b[1]') AS two, '{"a":"x"}'->>'a' AS x, value FROM json_each('[7]')`,
      [{two: 2, x: 'x', value: 7}],
    ],
    [
      'dates',
      "SELECT date('2024-02-28', '+2 days') AS d, strftime('%Y', born) AS y FROM users WHERE id = 1",
      [{d: '2024-03-01', y: '1815'}],
    ],
    [
      'functions',
      "SELECT upper(substr('abc', 2)) AS u, replace('aXa', 'X', '-') AS r, round(2.567, 1) AS f, typeof(1.0) AS t",
      [{u: 'BC', r: 'a-a', f: 2.6, t: 'real'}],
    ],
    [
      'full text',
      "SELECT body FROM notes WHERE notes MATCH 'engine'",
      [{body: 'the analytical engine'}],
    ],
    ['the schema', "SELECT count(*) AS n FROM sqlite_schema WHERE type = 'view'", [{n: 2}]],
    [
      'reals',
      'SELECT 0.1 + 0.2 AS r, -1.5e300 AS big, 5.0 AS five',
      [{r: 0.1 + 0.2, big: -1.5e300, five: 5}],
    ],
    [
      'big integers',
      'SELECT price, 9007199254740991 AS safe, -9223372036854775807 - 1 AS least FROM orders WHERE id = 1',
      [{price: '9007199254740993', safe: 9_007_199_254_740_991, least: '-9223372036854775808'}],
    ],
    ['infinity', 'SELECT 9e999 AS more, -9e999 AS less', [{more: 'Infinity', less: '-Infinity'}]],
    [
      'blobs',
      'SELECT data FROM orders WHERE data IS NOT NULL',
      [{data: "x'00ff10'"}, {data: "x''"}],
    ],
    ['what is named like a prototype', 'SELECT 1 AS __proto__', JSON.parse('[{"__proto__":1}]')],
  ])('%s is answered exactly', async (_, sql, rows) => {
    expect(rowsOf(await shop.run(sql))).toEqual(rows);
  });

  test('columns come in order, and duplicate names are numbered', async () => {
    const outcome = await shop.run(
      'SELECT 2 AS b, 1 AS a, u.id, o.id, 3 AS "id:2" FROM users u, orders o LIMIT 1',
    );
    expect(textOf(outcome)).toBe(
      '{"columns":["b","a","id","id:2","id:2:2"],\n"rows":[{"b":2,"a":1,"id":1,"id:2":1,"id:2:2":3}]}',
    );
  });

  test('no row loses its columns', async () => {
    expect(textOf(await shop.run('SELECT id, name FROM users WHERE 0'))).toBe(
      '{"columns":["id","name"],\n"rows":[]}',
    );
  });

  test('text is exact, and cannot control a terminal', async () => {
    const hostile = '\u001b[2J\u009b\u202e"\\\n\u{e0041}花\u{1f600}';
    const text = textOf(await shop.run(`SELECT '${hostile}' AS t`));
    expect(text).toMatch(/^[\n -~花\u{1f600}]*$/u);
    expect(JSON.parse(text).rows).toEqual([{t: hostile}]);
  });

  test('concurrent queries find their own rows', async () => {
    const outcomes = await Promise.all(
      [1, 2, 3].map((id) => shop.run(`SELECT id FROM users WHERE id = ${id}`)),
    );
    expect(outcomes.map(rowsOf)).toEqual([[{id: 1}], [{id: 2}], [{id: 3}]]);
  });
});

const numbers = 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c)';

describe('bounds', () => {
  test('no more rows than allowed are read, even of endless queries, and the result says so', async () => {
    const {columns, rows, truncated, note} = JSON.parse(
      textOf(await shop.run(`${numbers} SELECT n FROM c`)),
    );
    expect([columns, rows.length, rows[99], truncated]).toEqual([['n'], 100, {n: 100}, true]);
    expect(note).toMatch(/^only the first 100 rows; .*LIMIT/);
    const all = JSON.parse(textOf(await shop.run(`${numbers} SELECT n FROM c LIMIT 100`)));
    expect(Object.keys(all)).toEqual(['columns', 'rows']);
  });

  test('the number of rows can be set', async () => {
    const tool = await openDatabase({path: shop.path, maxRows: 2});
    expect(tool.description).toContain('2 rows at most');
    const toolbox = createToolbox([tool]);
    const outcome = await toolbox.run(
      {
        tool: 'database',
        args: {sql: 'SELECT id FROM users'},
        workspace: '/',
        repeatability: 'repeatable',
      },
      {
        workspace: '/',
        signal: new AbortController().signal,
        recovering: false,
        onChild: () => undefined,
      },
    );
    expect(JSON.parse(textOf(outcome))).toMatchObject({rows: [{id: 1}, {id: 2}], truncated: true});
  });

  test('long values end with a note of the cut, at a character boundary', async () => {
    const rows = rowsOf(
      await shop.run(
        "SELECT 'x' || replace(hex(zeroblob(5000)), '00', '\u{1f600}') AS t, zeroblob(1000) AS b",
      ),
    );
    expect(rows).toEqual([
      {
        t: `x${'\u{1f600}'.repeat(3_999)}… [cut: 10001 characters in all]`,
        b: `x'${'00'.repeat(256)}'… [cut: 1000 bytes in all]`,
      },
    ]);
  });

  test('the whole result is cut between rows', async () => {
    const outcome = await shop.run(
      `${numbers} SELECT n, printf('%.*c', 1000, '\u202e') AS t FROM c`,
    );
    const {rows, truncated, note} = JSON.parse(textOf(outcome));
    expect(textOf(outcome).length).toBeLessThan(16_000);
    expect([rows.length, truncated]).toEqual([2, true]);
    expect(note).toMatch(/^only the first 2 rows fit in 15000 characters/);
    const wide = Array.from({length: 20}, (_, index) => `printf('%.*c', 7000, 'x') AS c${index}`);
    const one = JSON.parse(textOf(await shop.run(`SELECT ${wide.join()}`)));
    expect(one).toMatchObject({
      rows: [],
      truncated: true,
      note: expect.stringContaining('fewer columns'),
    });
  });

  test('the widest and longest names stay within the whole', async () => {
    const names = Array.from({length: 250}, (_, index) => `1 AS "${'\u202e'.repeat(80)}${index}"`);
    const outcome = await shop.run(`SELECT ${names.join()}`);
    expect(outcome.kind).toBe('succeeded');
    expect(textOf(outcome).length).toBeLessThan(101_000);
  });
});

describe('mistakes', () => {
  test.each([
    ['SELECT * FROM usrs', 'no such table: usrs; did you mean "users"?'],
    ['SELECT nam FROM users', 'no such column: nam; did you mean "name"?'],
    ['SELECT u.nmae FROM users u', 'no such column: u.nmae; did you mean "name"?'],
    ['SELECT coutn(*) FROM users', 'no such function: coutn; did you mean "count"?'],
    ['SELECT zzzzzzzz FROM users', 'no such column: zzzzzzzz'],
    ['SELECT * FORM users', 'near "FORM": syntax error'],
    ["SELECT json_extract('{', '$')", 'malformed JSON'],
    ["SELECT 1 LIMIT 'a'", 'datatype mismatch'],
    ['SELECT abs(-9223372036854775807 - 1)', 'integer overflow'],
    ['SELECT id, id FROM users, orders', 'ambiguous column name: id'],
  ])('%s is refused in the words of SQLite', async (sql, message) => {
    expect(await shop.run(sql)).toEqual({kind: 'refused', code: 'sql_error', message});
  });

  test('a word in double quotes is not text', async () => {
    const outcome = await shop.run('SELECT id FROM users WHERE name = "Ada"');
    expect(outcome).toMatchObject({
      message: expect.stringMatching(/no such column: "Ada".*single-quotes/),
    });
  });
});

describe('endings', () => {
  const endless = `${numbers} SELECT count(*) FROM c`;

  test('a query beyond its time limit is refused with a remedy, and its process is gone', async () => {
    const started = performance.now();
    const outcome = await shop.run(endless);
    expect(outcome).toEqual({
      kind: 'refused',
      code: 'timeout',
      message: expect.stringMatching(/^it took longer than 2 s and was stopped; filter earlier/),
    });
    expect(performance.now() - started).toBeGreaterThan(2_000);
  });

  test('cancelling ends a query before it runs', async () => {
    const cancel = new AbortController();
    const onChild = (group: number): void => {
      shop.groups.push(group);
      cancel.abort();
    };
    const outcome = await shop.run(endless, {signal: cancel.signal, onChild});
    expect(verdictOf(outcome)).toBe('cancelled');
  });

  test('cancelling ends a query while it runs', async () => {
    const cancel = new AbortController();
    setTimeout(() => cancel.abort(), 500);
    const outcome = await shop.run(endless, {signal: cancel.signal});
    expect(verdictOf(outcome)).toBe('cancelled');
  });

  test('nothing starts after the run is cancelled', async () => {
    const before = shop.groups.length;
    const outcome = await shop.run('SELECT 1', {signal: AbortSignal.abort()});
    expect(verdictOf(outcome)).toBe('cancelled');
    expect(shop.groups).toHaveLength(before);
  });

  test.skipIf(process.platform !== 'linux')(
    'a set that grows without end is stopped in bounded memory, by a process that knows nothing',
    async () => {
      vi.stubEnv('OPENAI_API_KEY', 'sk-canary-4711');
      vi.stubEnv('NODE_OPTIONS', '--no-warnings');
      const own = process.memoryUsage().rss;
      const seen = watchProcess();
      const outcome = await shop.run(
        "WITH RECURSIVE c(n, s) AS (SELECT 1, '' UNION SELECT n + 1, printf('%.*c', 1000, 'x') || n FROM c) SELECT count(*) FROM c",
        {onChild: seen.start},
      );
      seen.stop();
      expect(outcome).toMatchObject({kind: 'refused'});
      expect(seen.peakKb()).toBeGreaterThan(100_000);
      expect(seen.peakKb()).toBeLessThan(600_000);
      expect(process.memoryUsage().rss - own).toBeLessThan(60_000_000);
      expect(seen.limits()).toMatch(/Max file size +8192000 +8192000 .*Max core file size +0 +0 /s);
      expect(seen.limits()).toMatch(/Max cpu time +7 +7 .*Max data size +1024000000 /s);
      expect(seen.environment()).not.toMatch(/canary|NODE_OPTIONS|HOME/);
    },
  );
});

/** The data in /proc of a living process. */
function watchProcess() {
  let [peak, limits, environment] = [0, '', ''];
  let timer: NodeJS.Timeout | undefined;
  const look = (pid: number): void => {
    const read = (name: string): string => readFileSync(`/proc/${pid}/${name}`, 'latin1');
    try {
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(read('status'))?.[1] ?? 0));
      [limits, environment] = [read('limits') || limits, read('environ') || environment];
    } catch {
      // It has ended.
    }
  };
  return {
    start: (pid: number) => void (timer = setInterval(look, 10, pid)),
    stop: () => clearInterval(timer),
    peakKb: () => peak,
    limits: () => limits,
    environment: () => environment,
  };
}

test('statements of any words end with an outcome', async () => {
  const words = constantFrom(
    ...'SELECT * FROM users orders WHERE id = 1 ( ) , ; INSERT DELETE UNION WITH x AS COUNT(*) "a" \'b\''.split(
      ' ',
    ),
  );
  await assert(
    asyncProperty(array(words, {maxLength: 8}), async (parts) => {
      const outcome = await shop.run(`SELECT ${parts.join(' ')}`);
      expect(['succeeded', 'refused']).toContain(outcome.kind);
    }),
    {numRuns: isDeep ? 25 : 8},
  );
});
