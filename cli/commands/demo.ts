/** `quorate demo`: scripted models mend a sample project with real tools, in a temporary folder. */

import {cpSync, mkdtempSync, realpathSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {createRuntime} from '../../actors/runtime.ts';
import {demoFile} from '../demo/files.ts';
import {demoConfig, demoModels} from '../demo/models.ts';
import {openingOf} from '../history.ts';
import {openJournal} from '../open-journal.ts';
import {runSession} from '../session.ts';
import type {Terminal} from '../terminal.ts';
import {levelOf, type CommandOf} from './command.ts';

export async function demo(command: CommandOf<'demo'>, terminal: Terminal): Promise<number> {
  const workspace = copySample();
  const runtime = createRuntime({
    config: demoConfig,
    models: demoModels(),
    journal: await openJournal(terminal.env),
    env: terminal.env,
  });
  try {
    const run = runtime.start({form: 'agent', request: 'Fix the failing test', workspace});
    return await runSession(run, {
      terminal,
      output: command.output,
      level: levelOf(command),
      tools: async () => openingOf(await runtime.entries(run.id)).tools,
      warnings: [
        `demo: the models are scripted, the tools are real; they work on a copy in ${workspace}`,
      ],
    });
  } finally {
    await runtime.close();
  }
}

function copySample(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-demo-')));
  cpSync(demoFile('sample'), folder, {recursive: true});
  return folder;
}
