import {expect, test} from 'vitest';

import {namePlaces} from '../../../tools/text/name-places.ts';

function renamed(language: string, text: string): string {
  const places = namePlaces(language, text, /\bcart\b/g);
  const kept = new Set(places.filter(({isRenamed}) => !isRenamed).map(({index}) => index));
  return text.replaceAll(/\bcart\b/g, (name, at: number) => (kept.has(at) ? name : 'bag'));
}

test.each([
  ['JavaScript', "import * as cart from './cart.js';", "import * as bag from './cart.js';"],
  ['JavaScript', 'cart.add("cart \\" cart", cart)', 'bag.add("cart \\" cart", bag)'],
  ['JavaScript', '`cart ${cart.total} cart`', '`cart ${bag.total} cart`'],
  [
    'JavaScript',
    "cart // don't touch cart\nlet x = 'cart'",
    "bag // don't touch bag\nlet x = 'cart'",
  ],
  ['Python', 'f"cart {cart}" + cart # it\'s cart', 'f"cart {bag}" + bag # it\'s bag'],
  ['Python', '"""\ncart\n"""\ncart', '"""\ncart\n"""\nbag'],
  ['Shell', 'echo "$cart" \'cart\'', 'echo "$bag" \'cart\''],
  ['Markdown', "the `cart`'s cart, see src/cart.js", "the `bag`'s bag, see src/cart.js"],
])('in %s a rename does not change strings and paths: %s', (language, before, after) => {
  expect(renamed(language, before)).toBe(after);
});

test('a place has its line, and says whether it is in a string', () => {
  expect(namePlaces('JavaScript', "cart;\n'cart'", /cart/g)).toEqual([
    {index: 0, line: 1, isRenamed: true, isQuoted: false},
    {index: 7, line: 2, isRenamed: false, isQuoted: true},
  ]);
});
