/** A small project with difficulties for rules: other encodings, CRLF, words in several places, an overview of its own. */

import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {onTestFinished} from 'vitest';

export type Files = Readonly<Record<string, string | Buffer>>;

/** “日本” and a line feed. */
export const shiftJis = Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x0a]);

export const shop: Files = {
  'package.json': JSON.stringify({
    name: 'shop',
    version: '1.2.3',
    description: 'Sells paint',
    main: 'src/index.js',
    scripts: {test: 'node check.js', build: 'echo 42'},
  }),
  'check.js': "console.log('DETAIL of the check');\n",
  'README.md': '# Shop\n\n![badge](b.svg)\n\nThe shop sells every colour.\n',
  'OVERVIEW.md': '# Overview\n\n## TODO and FIXME\n\n0 lines mention TODO or FIXME.\n',
  'src/index.js': '// TODO: colour of colours\nexport const getUser = () => getUserName();\n',
  'src/cli.js':
    'import {getUser} from "./index.js";\r\ngetUser(); // FIXME exit code\r\n// colour\r\n',
  'docs/a.md': 'colour getUser\n',
  'docs/b.txt': 'colour\n',
  'lib/util.py': 'def make_str(value):\n    colour = value\n\nclass Option:\n    pass\n',
  'notes.txt': 'precious\n',
  'a.js': 'a();\n',
};

export interface Folder {
  readonly path: string;
  /** Files whose content has changed, with the new content; `undefined` for removed files. */
  readonly changes: () => Record<string, string | undefined>;
}

/** The folder is removed at the end of the test. */
export function createFolder(files: Files): Folder {
  const path = mkdtempSync(join(tmpdir(), 'quorate-shop-'));
  onTestFinished(() => rmSync(path, {recursive: true, force: true}));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), {recursive: true});
    writeFileSync(join(path, name), text);
  }
  return {path, changes: () => changesIn(path, files)};
}

function changesIn(path: string, files: Files): Record<string, string | undefined> {
  const now = new Map(
    readdirSync(path, {recursive: true, withFileTypes: true})
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const full = join(entry.parentPath, entry.name);
        return [full.slice(path.length + 1), readFileSync(full)] as const;
      }),
  );
  const changed = [...now].filter(([name, bytes]) => {
    const before = files[name];
    return before === undefined || !Buffer.from(before).equals(bytes);
  });
  const gone = Object.keys(files).filter((name) => !now.has(name));
  return Object.fromEntries([
    ...changed.map(([name, bytes]) => [name, bytes.toString('utf8')]),
    ...gone.map((name) => [name, undefined]),
  ]);
}

/** Customers in cities, and their orders. */
export function createSales(path: string): void {
  const database = new DatabaseSync(path);
  database.exec(`
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), ordered TEXT, amount REAL, status TEXT);
    INSERT INTO customers VALUES (1, 'Bob', 'Tokyo'), (2, '鈴木', '大阪'), (3, 'Ann Lee', 'New York');
    INSERT INTO orders VALUES (1, 1, '2025-01-02', 10.5, 'cancelled'), (2, 1, '2025-03-02', 20, 'paid'),
      (3, 2, '2024-03-02', 30, 'paid'), (4, 3, '2025-05-05', 40, 'open');
  `);
  database.close();
}
