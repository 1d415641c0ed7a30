/** `quorate resume [ID] [--decision …]`: a suspended run goes on where it stopped. */

import type {InteractionRow, Journal} from '../../actors/journal/journal.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {levelOf, type Command, type Parsed} from '../command.ts';
import {readDecisionFlag, type DecisionFlag} from '../decision-flag.ts';
import {findRow, newestOpen} from '../find-run.ts';
import {oneLine} from '../lines/text.ts';
import {withLog, type Log} from '../log.ts';
import type {Launched} from '../open-runtime.ts';
import type {Terminal} from '../terminal.ts';

export const resume: Command = {
  operands: {usage: '[ID]', what: 'the ID of a run', least: 0, most: 1},
  summary:
    'continue a run that was suspended or waits for a person (no ID: the newest of this folder)',
  detail: `Continues a run where it stopped; without an ID the newest of this folder that is open and that no process
is running. What can't be resumed, as another version of Quorate wrote it, can be shown, exported and cancelled.`,
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
    const [wanted] = parsed.operands;
    const given = parsed.flags['decision']?.map(readDecisionFlag).at(-1);
    if (given && wanted === undefined) throw decisionWithoutRun(given);
    const {openRuntime} = await import('../open-runtime.ts');
    const {runtime, journal, workspace, warnings} = await openRuntime(parsed, terminal.env);
    try {
      const row = await (wanted === undefined
        ? newestOpen(journal, workspace)
        : findRow(journal, wanted));
      if (row.status === undefined) {
        const launched = {runtime, journal, warnings};
        return await withLog(
          parsed,
          terminal.env,
          async (log) => await goOn(row, {launched, parsed, terminal, given, log}),
        );
      }
      if (given) throw hasEnded(row);
      return await tellEnd(row, {journal, parsed, terminal});
    } finally {
      await runtime.close();
    }
  },
};

function decisionWithoutRun({decision}: DecisionFlag): AppError {
  return new AppError(
    'usage',
    `--decision needs the ID of the run that it is for: quorate resume ID --decision ${decision}`,
  );
}

interface Resuming {
  readonly launched: Pick<Launched, 'runtime' | 'journal' | 'warnings'>;
  readonly parsed: Parsed;
  readonly terminal: Terminal;
  readonly given: DecisionFlag | undefined;
  readonly log: Log;
}

async function goOn({id, workspace}: InteractionRow, resuming: Resuming): Promise<number> {
  const {launched, parsed, terminal, given, log} = resuming;
  const {runtime, journal, warnings} = launched;
  const {toDecision} = await import('../decision.ts');
  const {editGround} = await import('../history.ts');
  const {runSession} = await import('../session.ts');
  try {
    const ground = editGround(await journal.log.read(id));
    const decision = given ? {decision: toDecision(given, ground)} : {};
    await runtime.ready({run: id});
    const options = {
      terminal,
      output: parsed.output,
      level: levelOf(parsed),
      workspace,
      tools: async () => ground.tools,
      warnings,
      log,
      ...decision,
    };
    return await runSession(await runtime.resume(id), options);
  } catch (error) {
    throw withWhatIsLeft(id, error);
  }
}

/** A run that can't be resumed is not lost. */
function withWhatIsLeft(id: string, error: unknown): unknown {
  const isStuck =
    error instanceof AppError && (error.code === 'divergence' || error.code === 'journal_corrupt');
  if (!isStuck) return error;
  const name = oneLine(id);
  return new AppError(
    error.code,
    `run ${name} can't be resumed: ${error.message} What is left: quorate show ${name}, quorate export ${name}, quorate cancel ${name}`,
    {cause: error},
  );
}

/** A run that ended before it could tell: whoever resumes it after a crash gets its result and its exit code. */
async function tellEnd(
  row: InteractionRow,
  {journal, parsed, terminal}: Pick<Resuming, 'parsed' | 'terminal'> & {readonly journal: Journal},
): Promise<number> {
  const {resultOf} = await import('../history.ts');
  const {createOutput} = await import('../lines/output.ts');
  const result = resultOf(await journal.log.read(row.id));
  if (!result) throw hasEnded(row);
  await createOutput(terminal, parsed.output).finish(result);
  return result.exitCode;
}

function hasEnded({id, status = ''}: InteractionRow): AppError {
  const name = oneLine(id);
  return new AppError(
    'usage',
    `run ${name} has ended (${status}); look at it with quorate show ${name}`,
  );
}
