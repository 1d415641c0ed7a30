/** `quorate demo`: scripted models mend a sample project with real tools, in a temporary folder. */

import {cpSync, mkdtempSync, realpathSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {levelOf, type Command} from '../command.ts';
import {demoFile} from '../demo/files.ts';
import {openJournal} from '../open-journal.ts';

export const demo: Command = {
  summary: 'a run in a sample folder, without a network and without keys',
  detail: 'A run in a copy of a sample folder with scripted models: no network, no keys.',
  endsWithResult: true,
  run: async (parsed, terminal) => {
    const {createRuntime} = await import('../../actors/runtime.ts');
    const {demoConfig, demoModels} = await import('../demo/models.ts');
    const {openingOf} = await import('../history.ts');
    const {runSession} = await import('../session.ts');
    const workspace = copySample();
    const journal = await openJournal(terminal.env);
    const runtime = createRuntime({
      config: demoConfig,
      models: demoModels(),
      journal,
      env: terminal.env,
    });
    try {
      const run = runtime.start({form: 'agent', request: 'Fix the failing test', workspace});
      return await runSession(run, {
        terminal,
        output: parsed.output,
        level: levelOf(parsed),
        tools: async () => openingOf(await runtime.entries(run.id)).tools,
        warnings: [
          `demo: the models are scripted, the tools are real; they work on a copy in ${workspace}`,
        ],
      });
    } finally {
      await runtime.close();
      await journal.close();
    }
  },
};

function copySample(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-demo-')));
  cpSync(demoFile('sample'), folder, {recursive: true});
  return folder;
}
