/** A new run in the working folder, from its start to the exit code. */

import {levelOf, type Globals} from './command.ts';
import type {RunForm} from './forms.ts';
import {openingOf} from './history.ts';
import {openRuntime} from './open-runtime.ts';
import {runSession} from './session.ts';
import type {Terminal} from './terminal.ts';

export async function startRun(
  {form, request}: {readonly form: RunForm; readonly request: string},
  globals: Globals,
  terminal: Terminal,
): Promise<number> {
  const {runtime, workspace, warnings} = await openRuntime(globals, terminal.env);
  try {
    await runtime.ready({workspace});
    const run = runtime.start({form, request, workspace});
    return await runSession(run, {
      terminal,
      output: globals.output,
      level: levelOf(globals),
      tools: async () => openingOf(await runtime.entries(run.id)).tools,
      warnings,
    });
  } finally {
    await runtime.close();
  }
}
