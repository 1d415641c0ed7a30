/** The chat page in a browser, and the actions of a person. */

import type {Browser, BrowserContextOptions, Page} from 'playwright-core';

import {overflowOf, violationsOf} from '../../../support/accessibility.ts';

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
    overflow: async () => await overflowOf(page),
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
