/** A new run in the working folder, from its start to the exit code. */

import {levelOf, type Globals} from './command.ts';
import type {RunForm} from './forms.ts';
import {openingOf} from './history.ts';
import {withLog} from './log.ts';
import {openRuntime} from './open-runtime.ts';
import {runSession} from './session.ts';
import type {Terminal} from './terminal.ts';

export async function startRun(
  {form, request}: {readonly form: RunForm; readonly request: string},
  globals: Globals,
  terminal: Terminal,
): Promise<number> {
  return await withLog(globals, terminal.env, async (log) => {
    const {runtime, journal, workspace, warnings} = await openRuntime(globals, terminal.env);
    try {
      await runtime.ready({workspace});
      const run = runtime.start({form, request, workspace});
      return await runSession(run, {
        terminal,
        output: globals.output,
        level: levelOf(globals),
        workspace,
        tools: async () => openingOf(await journal.log.read(run.id)).tools,
        warnings,
        log,
      });
    } finally {
      await runtime.close();
    }
  });
}
