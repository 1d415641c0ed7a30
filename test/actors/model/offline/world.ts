/** A small shop in three languages, with one file of each kind that people ask about. */

import type {Files} from './shop.ts';

export const NOTES = 'first\nsecond\nthird\n';
export const CONFIG =
  '{\n  "port": 3000,\n  "debug": false,\n  "title": "Shop",\n  "server": { "host": "localhost" }\n}\n';
export const FORMAT =
  "export function formatPrice(price) {\n  return price.toFixed(2) + ' EUR';\n}\n";
export const README =
  '# Shop\n\nA small shop. See teh guide in docs/guide.md.\n\nCall `addItem` and then `showTotal`. Port: 3000.\nThe colour of the button is blue.\n';

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
