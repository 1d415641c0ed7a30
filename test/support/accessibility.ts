/** Checks the accessibility of a page in a browser with axe-core. */

import {readFileSync} from 'node:fs';

import type {Result, RunOptions} from 'axe-core';
import type {Page} from 'playwright-core';

/** The minified axe-core, which every page loads again. */
const checker = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

/**
 * Serious violations, light and dark: rules and their places. In the dark theme only the colours differ. `within`: a selector of
 * the parts that are checked.
 */
export async function violationsOf(page: Page, within = ':root'): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(checker);
  const light = await checked(page, within, 'light', {});
  return [...light, ...(await checked(page, within, 'dark', {runOnly: ['color-contrast']}))];
}

/** The overflow of the page beyond the window, in CSS pixels. */
export async function overflowOf(page: Page): Promise<number> {
  return await page.evaluate('document.documentElement.scrollWidth - document.body.clientWidth');
}

async function checked(
  page: Page,
  within: string,
  colorScheme: 'light' | 'dark',
  options: RunOptions,
): Promise<string[]> {
  await page.emulateMedia({colorScheme});
  const wanted = JSON.stringify({...options, resultTypes: ['violations']});
  const violations: readonly Result[] = await page.evaluate(
    `axe.run('${within}', ${wanted}).then((found) => found.violations)`,
  );
  return violations
    .filter(({impact}) => impact === 'serious' || impact === 'critical')
    .flatMap(({id, nodes}) => nodes.map(({html}) => `${colorScheme}: ${id}: ${html}`));
}
