/** The chat page in a browser, and the actions of a person. */

import {readFileSync} from 'node:fs';

import type {Result, RunOptions} from 'axe-core';
import type {Browser, BrowserContextOptions, Page} from 'playwright-core';

/** Closes its context on disposal. */
export interface ChatPage extends AsyncDisposable {
  readonly page: Page;
  /** The browser's errors and warnings about the page. */
  readonly complaints: readonly string[];
  /** Types, sends, and waits for the next question. */
  readonly say: (...texts: readonly string[]) => Promise<void>;
  /** Presses suggestions, and waits for the next question. */
  readonly press: (...names: readonly string[]) => Promise<void>;
  /** The texts of the conversation. */
  readonly said: () => Promise<readonly string[]>;
  /** Serious violations of accessibility, light and dark: rules and their places. */
  readonly violations: () => Promise<readonly string[]>;
  /** The overflow of the page beyond the window, in CSS pixels. */
  readonly overflow: () => Promise<number>;
}

/** The minified axe-core, which every page loads again. */
const checker = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

export async function openChatPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<ChatPage> {
  const context = await browser.newContext({locale: 'en', reducedMotion: 'reduce', ...options});
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(new URL(url).origin)) complaints.push(`asks ${request.url()}`);
  });
  await page.goto(url);
  return {
    page,
    complaints,
    say: async (...texts) => {
      for (const text of texts) {
        await answered(page, async () => {
          await page.getByRole('textbox', {name: /answer|回答/i}).fill(text);
          await page.keyboard.press('Enter');
        });
      }
    },
    press: async (...names) => {
      const suggestions = page.locator('#suggestions');
      for (const name of names) {
        const button = suggestions.getByRole('button', {name, exact: true});
        await answered(page, async () => await button.click());
      }
    },
    said: async () => (await page.locator('.said').allInnerTexts()).map(withoutSpeaker),
    violations: async () => await violationsOf(page),
    overflow: async () =>
      await page.evaluate('document.documentElement.scrollWidth - document.body.clientWidth'),
    [Symbol.asyncDispose]: async () => await context.close(),
  };
}

async function answered(page: Page, act: () => Promise<void>): Promise<void> {
  const questions = await page.locator('.said.agent').count();
  await act();
  await page.locator('.said.agent').nth(questions).waitFor();
}

function withoutSpeaker(said: string): string {
  return said.slice(said.indexOf('\n')).trim();
}

/** In the dark theme only the colours differ. */
async function violationsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(checker);
  const light = await checked(page, 'light', {});
  return [...light, ...(await checked(page, 'dark', {runOnly: ['color-contrast']}))];
}

async function checked(
  page: Page,
  colorScheme: 'light' | 'dark',
  options: RunOptions,
): Promise<string[]> {
  await page.emulateMedia({colorScheme});
  const violations: readonly Result[] = await page.evaluate(
    `axe.run(${JSON.stringify({...options, resultTypes: ['violations']})}).then((found) => found.violations)`,
  );
  return violations
    .filter(({impact}) => impact === 'serious' || impact === 'critical')
    .flatMap(({id, nodes}) => nodes.map(({html}) => `${colorScheme}: ${id}: ${html}`));
}
