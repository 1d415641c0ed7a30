/** What is polled of parts of a page. */

import type {Locator} from 'playwright-core';

export const textOf = (part: Locator) => async () => await part.innerText();
export const countOf = (items: Locator) => async () => await items.count();

/** The text of each item, with single blanks. */
export const textsOf = (items: Locator) => async () =>
  (await items.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
