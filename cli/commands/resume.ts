/** `quorate resume [ID] [--decision …]`: a suspended run goes on where it stopped. */

import type {Runtime} from '../../actors/runtime-api.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {toDecision} from '../decision.ts';
import {openingOf} from '../history.ts';
import {openRuntime} from '../open-runtime.ts';
import {oneLine} from '../render/text.ts';
import {runSession} from '../session.ts';
import type {Terminal} from '../terminal.ts';
import {levelOf, type CommandOf} from './command.ts';

export async function resume(command: CommandOf<'resume'>, terminal: Terminal): Promise<number> {
  const {runtime, warnings} = await openRuntime(command, terminal.env);
  try {
    const id = openRun(runtime, command.id);
    const tools = (): ReturnType<typeof openingOf>['tools'] => openingOf(runtime.entries(id)).tools;
    const decision = command.decision ? {decision: toDecision(command.decision, tools())} : {};
    return await runSession(runtime.resume(id), {
      terminal,
      output: command.output,
      level: levelOf(command),
      tools,
      warnings,
      ...decision,
    });
  } finally {
    await runtime.close();
  }
}

/** The run named, or the newest that is open, whatever its folder. */
function openRun(runtime: Runtime, wanted: string | undefined): string {
  const rows = runtime.sessions();
  const row = rows.find(({id, status}) =>
    wanted === undefined ? status === undefined : id === wanted,
  );
  if (!row) {
    const what = wanted === undefined ? 'no run is open' : `there is no run ${oneLine(wanted, 80)}`;
    throw new AppError('not_found', `${what}; quorate sessions lists them`);
  }
  if (row.status === undefined) return row.id;
  const name = oneLine(row.id);
  throw new AppError(
    'usage',
    `run ${name} has ended (${row.status}); look at it with quorate show ${name}`,
  );
}
