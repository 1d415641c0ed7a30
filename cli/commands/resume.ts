/** `quorate resume [ID] [--decision …]`: a suspended run goes on where it stopped. */

import type {InteractionRow} from '../../actors/journal/journal.ts';
import type {Runtime} from '../../actors/runtime-api.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {levelOf, type Command, type Parsed} from '../command.ts';
import {readDecisionFlag} from '../decision-flag.ts';
import {oneLine} from '../lines/text.ts';
import type {Terminal} from '../terminal.ts';

export const resume: Command = {
  operands: {usage: '[ID]', what: 'the ID of a run', least: 0, most: 1},
  summary: 'continue a run that was suspended or waits for a person (no ID: the newest)',
  detail: `Continues a run where it stopped; without an ID the newest one that is open.`,
  options: [
    {
      name: 'decision',
      takes: 'DECISION',
      text: `answers what the run waits for:
approve, reject     what was asked
edit:FILE           run the plan in this file (JSON) instead
retry, done, fail   for an effect of which nobody knows whether it happened: do it again, it has
                    happened, give it up`,
    },
  ],
  endsWithResult: true,
  run: async (parsed, terminal) => {
    const given = parsed.flags['decision']?.map(readDecisionFlag).at(-1);
    const {openRuntime} = await import('../open-runtime.ts');
    const {runtime, warnings} = await openRuntime(parsed, terminal.env);
    try {
      const {id, status} = findRun(await runtime.interactions(), parsed.operands[0]);
      if (status !== undefined) {
        if (given) throw hasEnded(id, status);
        return await tellEnd(runtime, {id, status}, {parsed, terminal});
      }
      const {toDecision} = await import('../decision.ts');
      const {openingOf} = await import('../history.ts');
      const {runSession} = await import('../session.ts');
      const {tools} = openingOf(await runtime.entries(id));
      const decision = given ? {decision: toDecision(given, tools)} : {};
      await runtime.ready({run: id});
      return await runSession(await runtime.resume(id), {
        terminal,
        output: parsed.output,
        level: levelOf(parsed),
        tools: async () => tools,
        warnings,
        ...decision,
      });
    } finally {
      await runtime.close();
    }
  },
};

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
  {parsed, terminal}: {readonly parsed: Parsed; readonly terminal: Terminal},
): Promise<number> {
  const {resultOf} = await import('../history.ts');
  const {createOutput} = await import('../lines/output.ts');
  const result = resultOf(await runtime.entries(id));
  if (!result) throw hasEnded(id, status);
  await createOutput(terminal, parsed.output).finish(result);
  return result.exitCode;
}

function hasEnded(id: string, status: string): AppError {
  const name = oneLine(id);
  return new AppError(
    'usage',
    `run ${name} has ended (${status}); look at it with quorate show ${name}`,
  );
}
