/** The chat page for a person, in Chromium. */

import {readFileSync} from 'node:fs';

import type {Browser, BrowserContextOptions} from 'playwright-core';
import {afterAll, describe, expect, test} from 'vitest';

import {findChromium} from '../../../support/chromium.ts';
import {isDeep} from '../../../support/depth.ts';
import {serveHere, temporaryFolder} from '../../../support/serving.ts';
import {type ChatPage, openChatPage} from './chat-page.ts';

const found = await findChromium();
const data = temporaryFolder();
let server = await serveHere(data.folder);
const {url} = server;

afterAll(async () => {
  if ('browser' in found) await found.browser.close();
  await server.close();
  data.remove();
});

async function open(form: string, options: BrowserContextOptions = {}): Promise<ChatPage> {
  return await openChatPage(browserIn(found), `${url}/f/${form}`, options);
}

function browserIn(given: typeof found): Browser {
  if ('browser' in given) return given.browser;
  throw new Error(given.missing);
}

function middleOf(box: {readonly x: number; readonly width: number} | null): number | undefined {
  return box ? box.x + box.width / 2 : undefined;
}

describe.runIf('browser' in found)('the chat page', () => {
  test('a form is filled, reloaded in the middle, corrected, submitted and kept', async () => {
    await using chat = await open('job-application');
    const {page} = chat;
    expect(await chat.violations()).toEqual([]);
    await chat.say('Japan', 'Ann Exampel');
    expect(await chat.violations()).toEqual([]);
    const input = page.getByRole('textbox', {name: 'Your answer: Email address'});
    await input.fill('ann@');
    await page.reload();
    expect(await input.inputValue()).toBe('ann@');
    expect(await chat.said()).toEqual([
      expect.stringContaining('Which country'),
      'Japan',
      expect.stringContaining('Full name'),
      'Ann Exampel',
      expect.stringContaining('Email address'),
    ]);
    const progress = page.getByRole('progressbar');
    expect(await progress.getAttribute('aria-label')).toBe('1 of at most 13 answered');

    await chat.say('ann@example.org');
    await chat.press('Skip', 'Backend engineer');
    await chat.say('5 years, most of them as a backend engineer', 'Head of a small team');
    await page.getByRole('checkbox', {name: 'TypeScript'}).check();
    await page.getByRole('checkbox', {name: 'Go'}).check();
    await chat.press('Send');
    await chat.say('2030-03-04');
    await chat.press('Yes');
    await chat.say('AB-123456', '20');
    expect(await chat.said()).not.toContainEqual(expect.stringContaining('AB-123456'));
    await chat.press('Skip');

    const review = page.getByRole('region', {name: 'Please check your answers'});
    await review.getByRole('button', {name: 'Change Full name'}).click();
    expect(await chat.violations()).toEqual([]);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Ann Example');
    await review.getByRole('button', {name: 'Save'}).click();
    await review.getByText('Ann Example').waitFor();
    expect(await review.getByText('March 4, 2030').isVisible()).toBe(true);
    await review.getByRole('button', {name: 'Submit'}).click();
    await page.getByRole('heading', {name: 'Thank you'}).waitFor();
    expect(await chat.violations()).toEqual([]);

    const downloading = page.waitForEvent('download');
    await page.getByRole('button', {name: 'Download your answers'}).click();
    const answers: unknown = JSON.parse(readFileSync(await (await downloading).path(), 'utf8'));
    expect(answers).toMatchObject({
      status: 'submitted',
      answers: {
        full_name: {value: 'Ann Example'},
        languages: {value: ['TypeScript', 'Go']},
        permit_number: {value: 'AB-123456'},
      },
    });
    expect(chat.complaints).toEqual([]);
  });

  test('the keyboard suffices, and the focus follows the conversation', async () => {
    await using chat = await open('t-shirt');
    const {page} = chat;
    const focused = page.locator(':focus');
    await chat.say('M');
    await page.keyboard.type('one');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('two');
    await page.keyboard.press('Enter');
    await page.getByRole('button', {name: 'Submit'}).waitFor();
    expect(await focused.innerText()).toBe('Please check your answers');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await focused.inputValue()).toBe('M');
    await page.keyboard.press('Escape');
    expect(await focused.getAttribute('aria-label')).toBe('Change Size');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('#review').getByText('S', {exact: true}).waitFor();
    expect(await focused.getAttribute('aria-label')).toBe('Change Size');
    await page.getByRole('button', {name: 'Submit'}).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', {name: 'Thank you'}).waitFor();
    expect(await focused.innerText()).toBe('Thank you');
  });
});

describe.runIf('browser' in found && isDeep)('the chat page, at length', () => {
  test('at 320 pixels in Japanese nothing is cut off, and an unfinished word is not sent', async () => {
    await using chat = await open('workshop', {
      locale: 'ja',
      viewport: {width: 320, height: 640},
      isMobile: true,
      hasTouch: true,
    });
    const {page} = chat;
    const widths = [await chat.overflow()];
    await chat.say('日本');
    expect(await page.locator('html').getAttribute('lang')).toBe('ja');
    await page.getByRole('textbox', {name: 'ご回答：お名前'}).focus();
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
    await page.getByRole('textbox', {name: 'ご回答：参加希望日'}).waitFor();
    const toggle = page.getByRole('button', {name: '問中1問に回答済み'});
    const answers = page.getByRole('complementary');
    await toggle.tap();
    widths.push(await chat.overflow());
    expect(await answers.innerText()).toContain('佐藤');
    await page.keyboard.press('Escape');
    expect(await answers.isHidden()).toBe(true);
    await toggle.tap();
    await chat.say('2030-03-04');
    expect(await answers.isHidden()).toBe(true);
    await chat.say('2');
    await chat.press('手びねり', 'スキップ');
    const review = page.getByRole('region', {name: '回答内容をご確認ください'});
    expect(await review.getByText('2030年3月4日').isVisible()).toBe(true);
    widths.push(await chat.overflow());
    await review.getByRole('button', {name: '提出する'}).tap();
    await page.getByRole('heading', {name: 'ありがとうございました'}).waitFor();
    widths.push(await chat.overflow());
    expect(widths).toEqual([0, 0, 0, 0]);
  });

  test('the review writes dates as the browser does, keeps an email on one line at 320 pixels, and is centred like the ending', async () => {
    await using chat = await open('job-application', {
      locale: 'en-GB',
      viewport: {width: 320, height: 640},
    });
    const {page} = chat;
    await chat.say('Germany', 'Ann Example', 'ann@example.org');
    await chat.press('Skip', 'Backend engineer');
    await chat.say('5 years, most of them as a backend engineer', 'Head of a small team');
    await page.getByRole('checkbox', {name: 'Go'}).check();
    await chat.press('Send');
    await chat.say('2030-03-04');
    await chat.press('No');
    await chat.say('20');
    await chat.press('Skip');
    const review = page.getByRole('region', {name: 'Please check your answers'});
    await review.getByText('4 March 2030').waitFor();
    const email = review.getByText('ann@example.org');
    const lines = await email.evaluate((node) => {
      const range = node.ownerDocument.createRange();
      range.selectNodeContents(node);
      return range.getClientRects().length;
    });
    expect(lines).toBe(1);
    expect(await chat.overflow()).toBe(0);
    await page.setViewportSize({width: 1280, height: 800});
    const middle = middleOf(await review.boundingBox());
    await review.getByRole('button', {name: 'Submit'}).click();
    const thanks = page.getByRole('main');
    await page.getByRole('heading', {name: 'Thank you'}).waitFor();
    expect([middle, middleOf(await thanks.boundingBox())]).toEqual([640, 640]);
  });

  test('a message without a connection is kept, and sent once later', async () => {
    await using chat = await open('job-application');
    const {page} = chat;
    await chat.say('Japan');
    await server.close();
    await page.getByRole('textbox').fill('Ann Example');
    await page.keyboard.press('Enter');
    await page.getByText('Not sent yet.').waitFor();
    await page.getByText('The connection is lost.').waitFor();
    server = await serveHere(data.folder, {port: Number(new URL(url).port)});
    await page.getByRole('textbox', {name: 'Email address'}).waitFor();
    await page.getByText('The connection is lost.').waitFor({state: 'detached'});
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await page.getByRole('textbox').fill('ann@example.org');
    await page.keyboard.press('Enter');
    await page.context().setOffline(false);
    await page.getByRole('textbox', {name: 'Phone number'}).waitFor();
    expect(await page.locator('.said.person .text').allInnerTexts()).toEqual([
      'Japan',
      'Ann Example',
      'ann@example.org',
    ]);
  });

  test('two tabs show one conversation, and a text for an outdated question is returned', async () => {
    await using one = await open('job-application');
    await one.say('Japan');
    const other = await one.page.context().newPage();
    await other.goto(one.page.url());
    await other.getByRole('button', {name: 'Continue'}).click();
    await one.say('Ann Example');
    const input = other.getByRole('textbox', {name: 'Email address'});
    await input.waitFor();

    await other.route('**/events', async (route) => await route.abort());
    await other.reload();
    await input.waitFor();
    await one.say('ann@example.org');
    await input.fill('ann@other.example');
    await other.keyboard.press('Enter');
    await other.getByText('The conversation has continued in another window.').waitFor();
    expect(await other.getByRole('textbox').inputValue()).toBe('ann@other.example');
  });

  test('a returning person can continue, start over, or delete everything', async () => {
    await using chat = await open('job-application');
    await chat.say('Japan', 'Ann Example');
    const link = chat.page.url();
    const page = await chat.page.context().newPage();
    await page.goto(`${url}/f/job-application`);
    await page.getByRole('region', {name: 'Welcome back'}).waitFor();
    expect(page.url()).toBe(link);
    await page.getByRole('button', {name: 'Start over'}).click();
    await page.getByRole('dialog').getByRole('button', {name: 'Start over'}).click();
    await page.waitForURL(({href}) => href.includes('/s/') && href !== link);
    await page.getByText('Which country').waitFor();
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

  test('the place to write follows the question, a refusal stands below the reply, and the question stays', async () => {
    await using chat = await open('trip', {viewport: {width: 1280, height: 800}});
    const {page} = chat;
    const question = page.locator('.current .question');
    const input = page.getByRole('textbox');
    await chat.say('ann@example.org');
    expect(await chat.violations()).toEqual([]);
    expect(await question.innerText()).toBe('Full name');
    const refusal = page.locator('.refusal');
    expect(await refusal.innerText()).toContain('Please write only the name.');
    const [asked, refused, place] = await Promise.all(
      [question, refusal, input].map(async (each) => (await each.boundingBox())?.y ?? 0),
    );
    expect([asked, refused, place].toSorted((a = 0, b = 0) => a - b)).toEqual([
      asked,
      refused,
      place,
    ]);
    expect((place ?? 0) - (refused ?? 0)).toBeLessThan(120);
    expect(await input.getAttribute('placeholder')).toBe('Type your answer');
    const send = page.locator('#send');
    expect(await send.isDisabled()).toBe(true);
    await input.fill('Ann Lee');
    expect(await send.isEnabled()).toBe(true);
    await chat.say('Ann Lee');
    expect(await chat.violations()).toEqual([]);
    const day = page.getByLabel('Pick a day');
    await day.fill('2030-03-04');
    await chat.press('Send');
    const progress = page.getByRole('progressbar');
    expect(await progress.getAttribute('aria-label')).toBe('3 of at most 7 answered');
    const before = Number(await progress.getAttribute('value'));
    await chat.say('3');
    expect(await question.innerText()).toBe('Means of transport');
    expect(await chat.said()).not.toContainEqual(expect.stringContaining('1. train'));
    await chat.say('rental car');
    expect(await progress.getAttribute('aria-label')).toBe('5 of 7 answered');
    const after = Number(await progress.getAttribute('value'));
    expect(after).toBeGreaterThan(before);
    await chat.press('Why do you ask?');
    expect(await chat.said()).toContain('Why do you ask?');
    await chat.press('Skip');
    await chat.say('no');
    const review = page.getByRole('region', {name: 'Please check your answers'});
    expect(await review.innerText()).toContain('Assumed: English');
  });

  test('the control fits the type of the field, and keeps text and focus', async () => {
    await using chat = await open('job-application');
    const {page} = chat;
    await chat.say('Japan', 'Ann Example');
    const input = page.getByRole('textbox');
    expect(await input.getAttribute('type')).toBe('email');
    await chat.say('ann@example.org');
    expect(await input.getAttribute('type')).toBe('tel');
    expect(await page.locator(':focus').getAttribute('id')).toBe('say');
    expect(await chat.violations()).toEqual([]);
  });

  test('the start page has a card for each form', async () => {
    await using chat = await openChatPage(browserIn(found), `${url}/`);
    const {page} = chat;
    expect(await chat.violations()).toEqual([]);
    expect(await chat.overflow()).toBe(0);
    await page.getByRole('link', {name: /^Your trip\s.*7 questions$/s}).click();
    await page.getByText('Full name').first().waitFor();
  });

  test('missing answers are listed, and nothing is submitted before they are given', async () => {
    await using chat = await open('t-shirt');
    const {page} = chat;
    await chat.say('I would rather not say');
    await chat.press('Skip');
    const review = page.getByRole('region', {name: 'Please check your answers'});
    const submit = review.getByRole('button', {name: 'Submit'});
    expect(await submit.isDisabled()).toBe(true);
    expect(await review.locator('#review-open').innerText()).toMatch(
      /these answers are needed:\s+Size$/,
    );
    const progress = page.getByRole('progressbar');
    expect(await progress.getAttribute('aria-label')).toBe('1 of 2 answered');
    expect(await chat.violations()).toEqual([]);
    await review.getByRole('button', {name: 'Change Size'}).click();
    await review.getByRole('combobox', {name: 'Size'}).selectOption('M');
    await review.getByRole('button', {name: 'Save'}).click();
    await review.getByText('M', {exact: true}).waitFor();
    await submit.click();
    await page.getByRole('heading', {name: 'Thank you'}).waitFor();
  });
});
