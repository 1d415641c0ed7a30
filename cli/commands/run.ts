/** `quorate TASK` and `quorate ask QUESTION`: a run in the working folder. */

import {openingOf} from '../history.ts';
import {openRuntime} from '../open-runtime.ts';
import {runSession} from '../session.ts';
import type {Terminal} from '../terminal.ts';
import {levelOf, type CommandOf} from './command.ts';
import {readTask} from './task.ts';

export async function run(command: CommandOf<'run'>, terminal: Terminal): Promise<number> {
  const request = await readTask(command, terminal.stdin);
  const {runtime, workspace, warnings} = await openRuntime(command, terminal.env);
  try {
    await runtime.ready({workspace});
    const started = runtime.start({form: command.form, request, workspace});
    return await runSession(started, {
      terminal,
      output: command.output,
      level: levelOf(command),
      tools: async () => openingOf(await runtime.entries(started.id)).tools,
      warnings,
    });
  } finally {
    await runtime.close();
  }
}
