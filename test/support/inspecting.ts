/** Runs with models on a mock server, shown by an inspector, and the inspector's page in Chromium. */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import type {Browser, BrowserContextOptions, Locator, Page} from 'playwright-core';

import {createMemoryJournal, type Run, type Runtime} from '../../actors/index.ts';
import {silentLogger} from '../../actors/logger.ts';
import {addressOf, type Inspector, startInspector} from '../../cli/inspect/inspector.ts';
import {createRunTraces} from '../../cli/inspect/run-traces.ts';
import type {HumanDecision} from '../../machines/domain/human.ts';
import {openRuntime, speak} from '../fixtures/journals/recorded-models.ts';
import {overflowOf, violationsOf} from './accessibility.ts';
import {findChromium} from './chromium.ts';
import {type MockOpenAi, startMockOpenAi} from './mock-openai.ts';

export interface Inspected extends AsyncDisposable {
  readonly runtime: Runtime;
  readonly models: MockOpenAi;
  readonly inspector: Inspector;
  /** Of all runs. */
  readonly workspace: string;
  /** Starts a run of the agent form, which the inspector shows. */
  readonly agent: (request: string) => Run;
  /** Starts a run of the agent form; resolves when it waits at its first gate. */
  readonly atGate: (request: string) => Promise<Run>;
  /** A run of the agent form that has ended, after this decision at its gate. */
  readonly ended: (request: string, decision: HumanDecision) => Promise<Run>;
  /** With the token. */
  readonly address: (run: Run) => string;
}

/** `answer`: the replies of the models. */
export async function inspectRuns(
  answer: Parameters<typeof startMockOpenAi>[0] = speak,
): Promise<Inspected> {
  const workspace = mkdtempSync(join(tmpdir(), 'quorate-inspect-'));
  const models = await startMockOpenAi(answer);
  const runtime = openRuntime(createMemoryJournal(), models.baseUrl);
  const traces = createRunTraces(runtime);
  const inspector = await startInspector({traces, port: 0, logger: silentLogger});
  const agent = (request: string): Run => {
    const run = runtime.agent(request, {workspace});
    traces.adopt(run);
    return run;
  };
  const atGate = async (request: string): Promise<Run> => {
    const run = agent(request);
    for await (const {type} of run.events) if (type === 'human.requested') break;
    return run;
  };
  return {
    runtime,
    models,
    inspector,
    workspace,
    agent,
    atGate,
    ended: async (request, decision) => {
      const run = await atGate(request);
      run.send({type: 'human.decided', ...decision});
      await run.result;
      return run;
    },
    address: ({id}) => addressOf(inspector, id),
    [Symbol.asyncDispose]: async () => {
      await inspector.close();
      await runtime.close();
      await models.close();
      rmSync(workspace, {recursive: true, force: true});
    },
  };
}

/** Closes its context on disposal. */
export interface InspectorPage extends AsyncDisposable {
  readonly page: Page;
  /** The browser's errors and warnings about the page, and every request to another place than its own. */
  readonly complaints: readonly string[];
  /** Opens a tab by its name. Resolves with its panel. */
  readonly tab: (name: string) => Promise<Locator>;
  /** Moves the slider to an entry. */
  readonly scrubTo: (entry: number) => Promise<void>;
  readonly slider: Locator;
  /** An item of the tree of actors, by the end of its path. */
  readonly actor: (path: string) => Locator;
  /** The same, once it is the selected one. */
  readonly selected: (path: string) => Promise<void>;
  /** Shows long texts of a part of the page as a whole. */
  readonly showAll: (part: Locator) => Promise<void>;
  /** Presses a button of the page. */
  readonly press: (name: string | RegExp) => Promise<void>;
  /** Waits until the badge at the top has this text. */
  readonly state: (text: string) => Promise<void>;
  /** Serious violations of accessibility; of the panels with tabs only, or of the whole page. */
  readonly violations: (part?: 'panels') => Promise<readonly string[]>;
  /** The overflow of the page beyond the window, in CSS pixels. */
  readonly overflow: () => Promise<number>;
}

/** For one element. */
const patienceMs = 30_000;

/** Resolves when the page shows a trace, or says why it shows none. */
export async function openInspectorPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<InspectorPage> {
  const viewport = {width: 1440, height: 900};
  const context = await browser.newContext({locale: 'en', viewport, ...options});
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const complaints: string[] = [];
  const {protocol, origin, pathname} = new URL(address);
  const own = protocol === 'file:' ? `file://${pathname}` : `${origin}/`;
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(own)) complaints.push(`asks ${request.url()}`);
  });
  await page.goto(address);
  await page.locator('main > :not(.loading)').first().waitFor({timeout: 60_000});
  const slider = page.getByRole('slider');
  const actor = (path: string): Locator =>
    page.getByRole('treeitem').and(page.locator(`[title$="/${path}"], [title="${path}"]`));
  return {
    page,
    complaints,
    tab: async (name) => {
      await page.getByRole('tab', {name, exact: true}).click();
      await hasDrawn(page);
      return page.getByRole('tabpanel', {name, exact: true});
    },
    scrubTo: async (entry) => {
      await slider.fill(String(entry));
      await page
        .getByRole('option', {selected: true})
        .and(page.locator(`#entry-${entry}`))
        .waitFor();
    },
    slider,
    actor,
    selected: async (path) => await actor(path).and(page.locator('[aria-selected=true]')).waitFor(),
    showAll: async (part) => {
      const more = await part.getByRole('button', {name: /^show all/}).all();
      for (const button of more.toReversed()) await button.click();
    },
    press: async (name) => await page.getByRole('button', {name, exact: true}).click(),
    state: async (text) => await page.getByRole('banner').getByText(text, {exact: true}).waitFor(),
    violations: async (part) => await violationsOf(page, part && '[role=tabpanel]:not([hidden])'),
    overflow: async () => await overflowOf(page),
    [Symbol.asyncDispose]: async () => await context.close(),
  };
}

/** The page draws its changes in the next frame. */
async function hasDrawn(page: Page): Promise<void> {
  const frame = 'new Promise((drawn) => requestAnimationFrame(drawn))';
  await page.evaluate(`${frame}.then(() => ${frame})`);
}

/** Chromium if it is there; `browser()` throws without it. */
export async function chromiumForTests() {
  const found = await findChromium();
  return {
    isThere: 'browser' in found,
    browser: (): Browser => {
      if ('browser' in found) return found.browser;
      throw new Error(found.missing);
    },
    close: async () => {
      if ('browser' in found) await found.browser.close();
    },
  };
}

/** Drags the slider from its end to near its beginning in 100 moves. Resolves with the times of the frames meanwhile, in ms. */
export async function framesWhileDragging({page, slider}: InspectorPage): Promise<number[]> {
  const box = await slider.boundingBox();
  if (!box) throw new Error('the slider is not in sight');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width - 10, y);
  await page.mouse.down();
  await page.evaluate(`
    window.frames_ = [];
    let before = performance.now();
    requestAnimationFrame(function each(now) {
      if (window.frames_ === undefined) return;
      window.frames_.push(now - before);
      before = now;
      requestAnimationFrame(each);
    });
  `);
  await page.mouse.move(box.x + 20, y, {steps: 100});
  const frames: number[] = await page.evaluate('window.frames_');
  await page.mouse.up();
  await hasDrawn(page);
  return frames;
}

/** Polled of a part of a page. */
export const textOf = (part: Locator) => async () => await part.innerText();
export const countOf = (items: Locator) => async () => await items.count();

/** The text of each item, with single blanks. */
export const textsOf = (items: Locator) => async () =>
  (await items.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
