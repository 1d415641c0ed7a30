/** Calls of the offline model; folders of first requests, natural wordings and questions, and a database: each with one file of each kind that people ask about. */

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {createOfflineModel} from '../../../../actors/model/offline/offline.ts';
import type {ModelOutcome, ModelRequest} from '../../../../machines/domain/model.ts';
import {context, plainRequest} from '../../../support/model-call.ts';
import {type Files, folderWith} from '../../../support/stage.ts';

const model = createOfflineModel();

export async function callOffline(request: Partial<ModelRequest>): Promise<ModelOutcome> {
  return await model.call({...plainRequest, model: model.name, ...request}, context);
}

/** “日本” and a line feed. */
export const shiftJis = Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x0a]);

/** Other encodings, CRLF, words in several places, an overview of its own. */
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
  const path = folderWith(files);
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

export const NOTES = 'first\nsecond\nthird\n';
export const CONFIG =
  '{\n  "port": 3000,\n  "debug": false,\n  "title": "Shop",\n  "server": { "host": "localhost" }\n}\n';
const FORMAT = "export function formatPrice(price) {\n  return price.toFixed(2) + ' EUR';\n}\n";
const README =
  '# Shop\n\nA small shop. See teh guide in docs/guide.md.\n\nCall `addItem` and then `showTotal`. Port: 3000.\nThe colour of the button is blue.\n';

/** In three languages. */
export const world: Files = {
  'package.json':
    '{\n  "name": "shop",\n  "version": "1.4.2",\n  "type": "module",\n  "scripts": { "test": "node --test" },\n  "license": "MIT"\n}\n',
  'src/cart.js':
    "import {formatPrice} from './format.js';\n\nconst items = [];\n\nexport function addItem(item) {\n  items.push(item);\n}\n\n// TODO: rounding\nexport function computeTotal() {\n  return items.reduce((sum, item) => sum + item.price, 0);\n}\n\nexport function showTotal() {\n  return 'Total: ' + formatPrice(computeTotal());\n}\n",
  'src/format.js': FORMAT,
  'src/main.js':
    "import * as cart from './cart.js';\n\ncart.addItem({name: 'pen', price: 3});\nconsole.log(cart.showTotal());\n",
  'src/util.py':
    'class Loader:\n    def load(self, path):\n        with open(path) as file:\n            return file.read()\n',
  'test/cart.test.js':
    "import assert from 'node:assert';\nimport {test} from 'node:test';\n\nimport {addItem, computeTotal} from '../src/cart.js';\n\ntest('the total', () => {\n  addItem({name: 'pen', price: 3});\n  assert.equal(computeTotal(), 3);\n});\n",
  'README.md': README,
  'docs/guide.md': '# Guide\n\na: 1\nb: 2\n',
  'docs/ja.md': '# 案内\n\nこれは店です。\n',
  'data.csv': 'name,price\npen,3\nbook,12\ncup,7\n',
  'notes.txt': NOTES,
  'config.json': CONFIG,
};

const guide = `# Guide

## Getting started

Import the cart, add items, and print the total.

## Shipping

Parcels are shipped within two days. Returns are accepted for 30 days.

## Configuration

The server reads \`config.json\`. The default port is 3000.
`;

const ja = `# 使い方

## 設定

ポートは config.json で変更できます。

## 返品

返品は三十日以内に受け付けます。
`;

const readme = `# Cart

A small shopping cart with prices in euros.

## Install

Run \`npm install\`, then \`npm start\`.

## Usage

Call \`addItem\` and then \`showTotal\`. Port: 3000.

## Licence

MIT
`;

/** Sources, documents, data and settings of a web shop. */
export const questionsTree: Files = {
  'package.json': `${JSON.stringify(
    {
      name: 'cart',
      version: '1.4.2',
      description: 'A small shopping cart',
      type: 'module',
      license: 'MIT',
      main: 'src/main.js',
      engines: {node: '>=20'},
      scripts: {start: 'node src/main.js', test: 'node --test'},
      dependencies: {'left-pad': '^1.3.0'},
    },
    null,
    2,
  )}\n`,
  'README.md': readme,
  'docs/guide.md': guide,
  'docs/ja.md': ja,
  'data.csv':
    'date,product,amount,city\n2025-01-02,apple,10,Berlin\n2025-01-05,pear,20,Paris\n2025-02-01,apple,30,Berlin\n',
  'notes.txt': 'first\nsecond\nthird\n',
  'config.json': `${JSON.stringify({port: 3000, debug: false, currency: 'EUR', logLevel: 'info'}, null, 2)}\n`,
  'src/cart.js': `// Items and their total.
import {formatPrice} from './format.js';

const taxRate = 0.19;

export function addItem(cart, item) {
  return [...cart, item];
}

// TODO: rounding
export function computeTotal(cart) {
  return cart.reduce((sum, {price}) => sum + price, 0) * (1 + taxRate);
}

export function showTotal(cart) {
  return formatPrice(computeTotal(cart));
}
`,
  'src/format.js': `/** Formats prices and dates for people. */

export const currencySign = '€';

export function formatPrice(amount) {
  return \`\${amount.toFixed(2)} \${currencySign}\`;
}

export function formatDate(date) {
  return date.toISOString().slice(0, 10);
}
`,
  'src/main.js': `import {addItem, computeTotal, showTotal} from './cart.js';

const cart = addItem([], {name: 'apple', price: 2});
console.log(showTotal(cart));
if (computeTotal(cart) > 100) console.log('free shipping');
`,
  'src/util.py': `"""Loads price lists."""

MAX_RETRIES = 3


class Loader:
    def load(self, path):
        return open(path).read()


def load_all(paths):
    loader = Loader()
    return [loader.load(path) for path in paths]
`,
  'test/cart.test.js': `import assert from 'node:assert/strict';
import test from 'node:test';

import {computeTotal} from '../src/cart.js';

test('the total has tax', () => {
  assert.equal(computeTotal([{price: 100}]), 119);
});
`,
};
