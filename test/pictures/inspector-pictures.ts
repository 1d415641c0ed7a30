/** The inspector on a run of the demo, at the vote that refuses a command. */

import {cpSync, mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import type {Browser} from 'playwright-core';

import {createMemoryJournal, createRuntime, type Runtime} from '../../actors/index.ts';
import {silentLogger} from '../../actors/logger.ts';
import {demoConfig, demoModels} from '../../cli/demo/models.ts';
import {addressOf, startInspector} from '../../cli/inspect/inspector.ts';
import {createRunTraces} from '../../cli/inspect/run-traces.ts';
import {type InspectorPage, openInspectorPage} from '../support/inspecting.ts';

/** `take`: makes the pictures of this name, of the page as it is. */
export async function takeInspectorPictures(
  browser: Browser,
  take: (name: string, page: InspectorPage['page']) => Promise<void>,
): Promise<void> {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-picture-')));
  cpSync(join(import.meta.dirname, '../../cli/demo/sample'), workspace, {recursive: true});
  const runtime = createRuntime({
    config: demoConfig,
    models: demoModels(),
    journal: createMemoryJournal(),
    env: {PATH: process.env['PATH'] ?? ''},
  });
  const run = runtime.start({form: 'agent', request: 'Fix the failing test', workspace});
  await run.result;
  const traces = createRunTraces(runtime);
  const inspector = await startInspector({traces, port: 0, logger: silentLogger});
  {
    await using shown = await openInspectorPage(browser, addressOf(inspector, run.id));
    await showRefusal(shown, await votesOf(runtime, run.id));
    await take('inspector', shown.page);
  }
  await inspector.close();
  await runtime.close();
  rmSync(workspace, {recursive: true, force: true});
}

interface Vote {
  readonly entry: number;
  readonly title: unknown;
}

async function votesOf(runtime: Runtime, id: string): Promise<Vote[]> {
  const entries = await runtime.entries(id);
  return entries.flatMap((entry) =>
    entry.type === 'noted' && entry.note['type'] === 'quorum.decided'
      ? [{entry: entry.seq, title: entry.note['title']}]
      : [],
  );
}

async function showRefusal(shown: InspectorPage, votes: readonly Vote[]): Promise<void> {
  const refused = votes.find(({title}) => title === 'run_command rm -rf test');
  if (!refused) throw new Error('the demo has no vote on rm -rf test');
  for (const name of ['Chart', 'Votes']) await shown.tab(name);
  await shown.scrubTo(refused.entry);
}
