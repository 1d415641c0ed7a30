/** `quorate resume [ID] [--decision …]`: a suspended run goes on where it stopped. */

import type {InteractionRow} from '../../actors/journal/journal.ts';
import type {Runtime} from '../../actors/runtime-api.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {toDecision} from '../decision.ts';
import {openingOf, resultOf} from '../history.ts';
import {createOutput} from '../lines/output.ts';
import {oneLine} from '../lines/text.ts';
import {openRuntime} from '../open-runtime.ts';
import {runSession} from '../session.ts';
import type {Terminal} from '../terminal.ts';
import {levelOf, type CommandOf} from './command.ts';

export async function resume(command: CommandOf<'resume'>, terminal: Terminal): Promise<number> {
  const {runtime, warnings} = await openRuntime(command, terminal.env);
  try {
    const {id, status} = findRun(await runtime.interactions(), command.id);
    if (status !== undefined) return await tellEnd(runtime, {id, status}, {command, terminal});
    const {tools} = openingOf(await runtime.entries(id));
    const decision = command.decision ? {decision: toDecision(command.decision, tools)} : {};
    await runtime.ready({run: id});
    return await runSession(await runtime.resume(id), {
      terminal,
      output: command.output,
      level: levelOf(command),
      tools: async () => tools,
      warnings,
      ...decision,
    });
  } finally {
    await runtime.close();
  }
}

/** The run named, or the newest that is open, whatever its folder. */
function findRun(
  rows: readonly InteractionRow[],
  wanted: string | undefined,
): Pick<InteractionRow, 'id' | 'status'> {
  const row = rows.find(({id, status}) =>
    wanted === undefined ? status === undefined : id === wanted,
  );
  if (row) return row;
  const what = wanted === undefined ? 'no run is open' : `there is no run ${oneLine(wanted, 80)}`;
  throw new AppError('not_found', `${what}; quorate sessions lists them`);
}

/** A run that ended before it could tell: whoever resumes it after a crash gets its result and its exit code. */
async function tellEnd(
  runtime: Runtime,
  {id, status}: {readonly id: string; readonly status: string},
  {command, terminal}: {command: CommandOf<'resume'>; terminal: Terminal},
): Promise<number> {
  const result = resultOf(await runtime.entries(id));
  if (!result || command.decision) {
    const name = oneLine(id);
    throw new AppError(
      'usage',
      `run ${name} has ended (${status}); look at it with quorate show ${name}`,
    );
  }
  await createOutput(terminal, command.output).finish(result);
  return result.exitCode;
}
