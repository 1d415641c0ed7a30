/** The chat page as a person meets it, in Chromium. */

import {readFileSync} from 'node:fs';

import type {Browser, BrowserContextOptions} from 'playwright-core';
import {afterAll, describe, expect, test} from 'vitest';

import {findChromium} from '../../../support/chromium.ts';
import {type ChatPage, openChatPage} from './chat-page.ts';
import {startFakeServer} from './fake-server.ts';

const found = await findChromium();
const server = await startFakeServer();
const form = `${server.url}/f/application`;

afterAll(async () => {
  if ('browser' in found) await found.browser.close();
  await server.stop();
});

async function open(options: BrowserContextOptions = {}, url = form): Promise<ChatPage> {
  return await openChatPage(browserIn(found), url, options);
}

function browserIn(given: typeof found): Browser {
  if ('browser' in given) return given.browser;
  throw new Error(given.missing);
}

describe.runIf('browser' in found)('the chat page', () => {
  test('a form is filled, reloaded in the middle, corrected, submitted and kept', async () => {
    await using chat = await open();
    const {page} = chat;
    expect(await chat.violations()).toEqual([]);
    await chat.say('English', 'Ann Exampel');
    expect(await chat.violations()).toEqual([]);
    await page.getByRole('textbox').fill('ann@');
    await page.reload();
    expect(await page.getByRole('textbox').inputValue()).toBe('ann@');
    expect(await chat.said()).toEqual([
      expect.stringContaining('Which language'),
      'English',
      'What is your full name?',
      'Ann Exampel',
      expect.stringContaining('What is your email address?'),
    ]);
    expect(await page.getByRole('progressbar').getAttribute('aria-label')).toBe('1 of 6 answered');

    await chat.say('ann@example.org');
    await page.getByRole('button', {name: 'Designer'}).click();
    await page.getByRole('checkbox', {name: 'English'}).check();
    await page.getByRole('checkbox', {name: 'German'}).check();
    await page.getByRole('group').getByRole('button', {name: 'Send'}).click();
    await page.getByText('When could you start?').waitFor();
    await chat.say('2026-03-04', 'hunter2');
    expect(await chat.said()).not.toContainEqual(expect.stringContaining('hunter2'));

    const review = page.getByRole('region', {name: 'Please check your answers'});
    await review.getByRole('button', {name: 'Change Full name'}).click();
    expect(await chat.violations()).toEqual([]);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Ann Example');
    await review.getByRole('button', {name: 'Save'}).click();
    await review.getByText('Ann Example').waitFor();
    expect(await review.getByText('March 4, 2026').isVisible()).toBe(true);
    await review.getByRole('button', {name: 'Submit'}).click();
    await page.getByRole('heading', {name: 'Thank you'}).waitFor();
    expect(await chat.violations()).toEqual([]);

    const downloading = page.waitForEvent('download');
    await page.getByRole('button', {name: 'Download your answers'}).click();
    const answers: unknown = JSON.parse(readFileSync(await (await downloading).path(), 'utf8'));
    expect(answers).toMatchObject({
      answers: {name: 'Ann Example', languages: ['English', 'German'], code: 'hunter2'},
    });
    expect(chat.complaints).toEqual([]);
  });

  test('at 320 pixels in Japanese nothing is cut off, and an unfinished word is not sent', async () => {
    await using chat = await open({
      locale: 'ja',
      viewport: {width: 320, height: 640},
      isMobile: true,
      hasTouch: true,
    });
    const {page} = chat;
    const widths = [await chat.overflow()];
    await chat.say('日本語');
    expect(await page.locator('html').getAttribute('lang')).toBe('ja');
    await page.getByRole('textbox', {name: 'ご回答：Full name'}).focus();
    const keyboard = await page.context().newCDPSession(page);
    await keyboard.send('Input.imeSetComposition', {
      text: 'さとう',
      selectionStart: 3,
      selectionEnd: 3,
    });
    await page.keyboard.press('Enter');
    expect(await page.locator('.said.person').count()).toBe(1);
    await keyboard.send('Input.insertText', {text: '佐藤'});
    await page.keyboard.press('Enter');
    await page.getByText('メールアドレスを').waitFor();
    await page.getByRole('button', {name: '6問中1問に回答済み'}).tap();
    widths.push(await chat.overflow());
    expect(await page.getByRole('complementary').innerText()).toContain('佐藤');
    await page.getByRole('button', {name: '6問中1問に回答済み'}).tap();
    await chat.say('sato@example.jp', 'Designer', 'スキップ', '2026-03-04', 'スキップ');
    expect(await page.locator('#review').getByText('2026年3月4日').isVisible()).toBe(true);
    widths.push(await chat.overflow());
    await page.getByRole('button', {name: '提出する'}).tap();
    await page.getByRole('heading', {name: 'ありがとうございました'}).waitFor();
    widths.push(await chat.overflow());
    expect(widths).toEqual([0, 0, 0, 0]);
  });

  test('what is written without a connection is kept, and sent once when there is one', async () => {
    await using chat = await open();
    const {page} = chat;
    await chat.say('English');
    await server.stop();
    await page.getByRole('textbox').fill('Ann Example');
    await page.keyboard.press('Enter');
    await page.getByText('Not sent yet.').waitFor();
    await page.getByText('The connection is lost.').waitFor();
    await server.listen();
    await page.getByText('What is your email address?').waitFor();
    await page.getByText('The connection is lost.').waitFor({state: 'detached'});
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await page.getByRole('textbox').fill('ann@example.org');
    await page.keyboard.press('Enter');
    await page.context().setOffline(false);
    await page.getByText('Which role are you applying for?').waitFor();
    expect(await page.locator('.said.person .text').allInnerTexts()).toEqual([
      'English',
      'Ann Example',
      'ann@example.org',
    ]);
  });

  test('two tabs show one conversation, and words for a question that is gone come back', async () => {
    await using one = await open();
    await one.say('English');
    const other = await one.page.context().newPage();
    await other.goto(one.page.url());
    await other.getByRole('button', {name: 'Continue'}).click();
    await one.say('Ann Example');
    await other.getByText('What is your email address?').waitFor();

    await other.route('**/events', async (route) => await route.abort());
    await other.reload();
    await one.say('ann@example.org');
    await other.getByRole('textbox').fill('ann@other.example');
    await other.keyboard.press('Enter');
    await other.getByText('The conversation went on in another window.').waitFor();
    expect(await other.getByRole('textbox').inputValue()).toBe('ann@other.example');
  });

  test('who comes back may go on or start over, and may have everything deleted', async () => {
    await using chat = await open();
    await chat.say('English', 'Ann Example');
    const link = chat.page.url();
    const page = await chat.page.context().newPage();
    await page.goto(form);
    await page.getByRole('region', {name: 'Welcome back'}).waitFor();
    expect(page.url()).toBe(link);
    await page.getByRole('button', {name: 'Start over'}).click();
    await page.getByRole('dialog').getByRole('button', {name: 'Start over'}).click();
    await page.getByText('Which language would you like').waitFor();
    expect(await page.locator('.said').count()).toBe(1);

    await page.locator('summary').click();
    await page.getByRole('button', {name: 'Delete my data'}).click();
    await page.getByRole('dialog').getByRole('button', {name: 'Delete'}).click();
    await page.getByRole('heading', {name: 'Deleted'}).waitFor();
    await page.goto(link);
    await page.reload();
    await page.getByRole('heading', {name: 'This link does not work'}).waitFor();
    expect(await page.evaluate('localStorage.length')).toBe(0);
  });

  test('the keyboard is enough, and the focus follows what happens', async () => {
    await using chat = await open();
    const {page} = chat;
    const focused = page.locator(':focus');
    await chat.say('English', 'Ann', 'ann@example.org', 'Designer', 'Skip', '2026-03-04');
    await page.keyboard.type('one');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('two');
    await page.keyboard.press('Enter');
    await page.getByRole('button', {name: 'Submit'}).waitFor();
    expect(await focused.innerText()).toBe('Please check your answers');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await focused.inputValue()).toBe('Ann');
    await page.keyboard.press('Escape');
    expect(await focused.getAttribute('aria-label')).toBe('Change Full name');
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await page.keyboard.type(' Example');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('#review').getByText('Ann Example').waitFor();
    expect(await focused.getAttribute('aria-label')).toBe('Change Full name');
    await page.getByRole('button', {name: 'Submit'}).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', {name: 'Thank you'}).waitFor();
    expect(await focused.innerText()).toBe('Thank you');
  });
});
