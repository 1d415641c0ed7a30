/** The sources, documents, data and settings of a web shop: the folder of the questions. */

import type {Files} from './shop.ts';

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
