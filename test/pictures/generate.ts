/**
 * Writes the pictures of the documentation, or those named by arguments: `charts`, the agent's chart and the map of all machines;
 * `run`, a terminal with the first run; `screen`, the full screen in tmux; `chat-page`, forms that are filled in Chromium, without any model; `inspector`, a run of
 * the demo in Chromium.
 */

import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import type {Browser, BrowserContextOptions, Page} from 'playwright-core';

import {sketchFile, writeFiles} from '../../diagrams/files.ts';
import {agentMachine} from '../../machines/index.ts';
import {type ChatPage, openChatPage} from '../cli/serve/page/chat-page.ts';
import {findChromium, install} from '../support/chromium.ts';
import {createLauncher} from '../support/launch.ts';
import {serveHere, temporaryFolder} from '../support/serving.ts';
import {firstRun, pictureOf, schemes, terminalPicture} from './first-run.ts';
import {takeInspectorPictures} from './inspector-pictures.ts';
import {screenColumns, takeScreens} from './screen-pictures.ts';

const folder = join(import.meta.dirname, '../../diagrams');

interface Picture {
  readonly name: string;
  readonly form: string;
  readonly options: BrowserContextOptions;
  readonly fill: (chat: ChatPage) => Promise<void>;
}

const pictures: readonly Picture[] = [
  {
    name: 'chat-page',
    form: 'job-application',
    options: {
      locale: 'en-GB',
      timezoneId: 'Europe/London',
      viewport: {width: 1100, height: 680},
    },
    fill: async ({say, press}) => {
      await say('Ann Example', 'ann@example.org');
      await press('Skip', 'Designer');
      await say('I have designed books for 5 years', 'Head of a small team');
      await say('https://example.org/ann', '1 April 2030');
    },
  },
  {
    name: 'chat-page-phone',
    form: 'workshop',
    options: {
      locale: 'ja',
      timezoneId: 'Asia/Tokyo',
      viewport: {width: 360, height: 720},
      deviceScaleFactor: 2,
    },
    fill: async ({say, press}) => {
      await say('佐藤花子', '2030年4月1日', '2');
      await press('手びねり', 'スキップ');
    },
  },
];

const makers: Readonly<Record<string, () => Promise<void>>> = {
  charts: drawCharts,
  run: drawRun,
  screen: drawScreens,
  'chat-page': takeChatPage,
  inspector: async () =>
    await withBrowser(async (browser) => await takeInspectorPictures(browser, shoot)),
};

const wanted = process.argv.slice(2);
for (const name of wanted.length > 0 ? wanted : Object.keys(makers)) {
  const make = makers[name];
  if (!make) throw new Error(`there is no picture ${name}`);
  await make();
}

async function drawCharts(): Promise<void> {
  writeFiles(folder, await sketchFile(agentMachine), []);
}

async function drawRun(): Promise<void> {
  const launcher = createLauncher();
  const run = await firstRun(launcher);
  launcher.remove();
  for (const scheme of schemes)
    writeFileSync(join(folder, `run-${scheme}.svg`), pictureOf(run, scheme));
}

async function drawScreens(): Promise<void> {
  for (const {name, rows} of await takeScreens())
    for (const scheme of schemes) {
      const picture = terminalPicture(rows, screenColumns, scheme);
      writeFileSync(join(folder, `${name}-${scheme}.svg`), picture);
    }
}

async function takeChatPage(): Promise<void> {
  const data = temporaryFolder();
  const server = await serveHere(data.folder);
  await withBrowser(async (browser) => {
    for (const {name, form, options, fill} of pictures) {
      await using chat = await openChatPage(browser, `${server.url}/f/${form}`, options);
      await fill(chat);
      await chat.page.mouse.move(0, 0);
      await shoot(name, chat.page);
    }
  });
  await server.close();
  data.remove();
}

async function withBrowser(act: (browser: Browser) => Promise<void>): Promise<void> {
  if (!existsSync('/usr/share/fonts/opentype/inter'))
    await install('fonts-inter', 'fonts-noto-cjk');
  const found = await findChromium();
  if ('missing' in found) throw new Error(found.missing);
  await act(found.browser);
  await found.browser.close();
}

async function shoot(name: string, page: Page): Promise<void> {
  for (const colorScheme of schemes) {
    await page.emulateMedia({colorScheme});
    await page.screenshot({path: join(folder, `${name}-${colorScheme}.png`)});
  }
}
