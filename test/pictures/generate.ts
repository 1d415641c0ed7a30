/**
 * Writes the pictures of the documentation: the agent's chart and the map of all machines, a terminal with the first run
 * (`diagrams/run-*.svg`), and forms that are filled in Chromium, without any model (`diagrams/chat-page-*.png`).
 */

import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import type {Browser, BrowserContextOptions} from 'playwright-core';

import {sketchFile, writeFiles} from '../../diagrams/files.ts';
import {mapSvg} from '../../diagrams/map/draw-map.ts';
import {agentMachine} from '../../machines/index.ts';
import {type ChatPage, openChatPage} from '../cli/serve/page/chat-page.ts';
import {systemMap} from '../map/map.ts';
import {findChromium, install} from '../support/chromium.ts';
import {createLauncher} from '../support/launch.ts';
import {serveHere, temporaryFolder} from '../support/serving.ts';
import {firstRun, pictureOf} from './first-run.ts';
import {schemes} from './terminal-picture.ts';

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
    options: {viewport: {width: 1100, height: 680}},
    fill: async ({say, press}) => {
      await say('Japan', 'Ann Example', 'ann@example.org');
      await press('Skip', 'Designer');
      await say('I have designed books for 5 years', 'Head of a small team');
      await say('https://example.org/ann', '1 April 2030');
    },
  },
  {
    name: 'chat-page-phone',
    form: 'workshop',
    options: {locale: 'ja', viewport: {width: 360, height: 720}, deviceScaleFactor: 2},
    fill: async ({say, press}) => {
      await say('日本', '佐藤花子', '2030年4月1日', '2');
      await press('手びねり', 'スキップ');
    },
  },
];

const charts = {...(await sketchFile(agentMachine)), 'map.svg': await mapSvg(systemMap())};
writeFiles(folder, charts, []);

const launcher = createLauncher();
const run = await firstRun(launcher);
launcher.remove();
for (const scheme of schemes)
  writeFileSync(join(folder, `run-${scheme}.svg`), pictureOf(run, scheme));

if (!existsSync('/usr/share/fonts/opentype/inter')) await install('fonts-inter', 'fonts-noto-cjk');
const found = await findChromium();
if ('missing' in found) throw new Error(found.missing);
const data = temporaryFolder();
const server = await serveHere(data.folder);
for (const picture of pictures) await take(picture, found.browser);
await found.browser.close();
await server.close();
data.remove();

async function take({name, form, options, fill}: Picture, browser: Browser): Promise<void> {
  await using chat = await openChatPage(browser, `${server.url}/f/${form}`, options);
  await fill(chat);
  await chat.page.mouse.move(0, 0);
  for (const colorScheme of schemes) {
    await chat.page.emulateMedia({colorScheme});
    await chat.page.screenshot({path: join(folder, `${name}-${colorScheme}.png`)});
  }
}
