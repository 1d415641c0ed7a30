/** `quorate resume [ID] [--decision …]`: continues a suspended run. */

import type {InteractionRow, Journal} from '../../actors/journal/journal.ts';
import type {Logger} from '../../actors/logger.ts';
import type {ResumeWith} from '../../actors/runtime-api.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {HumanDecision} from '../../machines/domain/human.ts';
import {defaultForm} from '../../machines/domain/interaction-form.ts';
import {t} from '../../machines/message.ts';
import {say} from '../language.ts';
import {type Command, oneRun, type Parsed} from '../line/command.ts';
import {type DecisionFlag, decisionOption} from '../line/decision-flag.ts';
import {answersOption, wordOption} from '../line/option-values.ts';
import {usageError} from '../line/usage-error.ts';
import type {Launched} from '../open-runtime.ts';
import {
  changesIn,
  type Continued,
  decisionIn,
  followContinued,
  interviewOptions,
  type Recorded,
  recordedIn,
} from '../past/continued.ts';
import {findRow, openRuns} from '../past/find-run.ts';
import {whatIsLeft} from '../render/result/waiting.ts';
import {oneLine} from '../render/text.ts';
import {isInteractive, type Terminal, tryToWrite} from '../terminal.ts';
import {command, type Given} from './define.ts';

const options = {
  decision: decisionOption,
  reason: wordOption('TEXT', t`the reason, with approve, always, reject, revise or edit:FILE`),
  gate: wordOption(
    'DIGEST',
    t`of several open questions, the one that --decision answers: the beginning of its sha256`,
  ),
  answers: answersOption,
};

export const resume = command({
  operands: {...oneRun, usage: '[ID]', least: 0},
  summary: t`continue a run that was suspended or waits for a person (no ID: the newest of this folder)`,
  detail: t`Continues a run where it stopped. Without an ID, as with quorate --continue: the newest run of this folder that is
open, can be resumed, and is not running in another process. A run that is outdated or damaged can't be resumed; it can be
shown, exported, undone and cancelled.

If the folder of a run was moved, -C names it: quorate resume ID -C NEW.

In a journal that machines share, a run that another process performs, or that works in a folder of another machine, is
followed: lines that you enter are passed on to it, and Ctrl-C leaves it running.

Limits, mode, rule, panel, models and --final-review apply from the next round on, --ensemble, --solo and --debate from the
next draft of a plan; the scope of a run stays. An interview continues its conversation: if its form has changed since, new
fields are asked, too.`,
  options,
  examples: [
    'quorate resume ID --decision approve:DIGEST',
    'quorate resume ID --decision reject --reason "it needs a backup first"',
  ],
  obeys: ['output', 'log', 'models', 'rule', 'panel', 'plans', 'tasks', 'limits'],
  endsWithResult: defaultForm,
  run: async (parsed, terminal) => {
    const [wanted] = parsed.operands;
    const given = decisionIn(parsed.options);
    if (given && wanted === undefined) throw decisionWithoutRun(given);
    const {withLoggedRuntime} = await import('../open-runtime.ts');
    return await withLoggedRuntime(parsed, terminal, async (launched, logger) => {
      const {journal, workspace} = launched;
      const [row, ...older] =
        wanted === undefined
          ? await openRuns(journal, workspace)
          : ([await findRow(journal, wanted)] as const);
      if (row.status === undefined) {
        if (wanted !== undefined && (await isPerformedElsewhere(row, launched))) {
          if (given) return await relayDecision(row, given, {launched, terminal});
          return await attach(row, {launched, parsed, terminal, logger});
        }
        return await continueNewest([row, ...older], {launched, parsed, terminal, given, logger});
      }
      if (given) throw hasEnded(row);
      return await printEndedResult(row, {journal, parsed, terminal});
    });
  },
});

function decisionWithoutRun({decision}: DecisionFlag): AppError {
  return usageError(
    t`--decision needs the ID of the run that it is for: quorate resume ID --decision ${decision}`,
  );
}

/** It works in a folder of another machine of the journal, or another process performs it now. */
async function isPerformedElsewhere(
  row: InteractionRow,
  {host, journal}: Launched,
): Promise<boolean> {
  if (!host) return false;
  if (row.host !== undefined && row.host !== host.id) return true;
  return (await journal.owners.tenureOf(row.id)) === 'owned';
}

/** Shows the run while another process performs it, and passes on what the person enters. */
async function attach(
  row: InteractionRow,
  {launched: {runtime, journal, warnings}, parsed, terminal, logger}: AttachOptions,
): Promise<number> {
  const entries = await journal.log.read(row.id);
  const interview = await interviewOptions(row.form, parsed, terminal);
  const recorded = await recordedIn(entries, row, undefined);
  const {settings} = await changesIn(parsed);
  const run = await runtime.follow(row.id, {from: entries.length});
  if (settings) run.send({type: 'settings.changed', settings});
  const following = {row, run, recorded, interview, warnings, isFollowed: true} as const;
  return await followContinued(following, {parsed, terminal, logger});
}

/** The worker of the other machine continues the run with the decision. */
async function relayDecision(
  row: InteractionRow,
  given: DecisionFlag,
  {
    launched: {runtime, journal},
    terminal,
  }: {readonly launched: Launched; readonly terminal: Terminal},
): Promise<number> {
  if (given.decision === 'always')
    throw usageError(t`always is decided on the machine of the run, whose permissions it changes`);
  const {createGivenDecision} = await import('../line/decision.ts');
  const {tryPeekRun} = await import('../../actors/sessions/run-state.ts');
  const entries = await journal.log.read(row.id);
  const {decision, digest} = await recordedIn(entries, row, given);
  const open = (await tryPeekRun(row.id, entries))?.gates ?? [];
  let left: ({readonly gate: string} & HumanDecision) | undefined;
  const answer = (gate: string, decided: HumanDecision): boolean => {
    left = {gate, ...decided};
    return true;
  };
  createGivenDecision({list: () => open, answer}, row.id, decision, digest)();
  if (!left) throw new AppError('nothing_waiting', t`run ${oneLine(row.id)} waits for no decision`);
  await runtime.relay(row.id, {type: 'human.decided', ...left});
  const text = t`run ${oneLine(row.id)}: the decision was left for its process, which continues it`;
  await tryToWrite(terminal.stderr, `${say(text, terminal)}\n`);
  return 0;
}

interface AttachOptions extends Omit<Resuming, 'launched' | 'given'> {
  readonly launched: Launched;
}

interface Resuming {
  readonly launched: Pick<Launched, 'runtime' | 'warnings'>;
  readonly parsed: Given<typeof options>;
  readonly terminal: Terminal;
  readonly given: DecisionFlag | undefined;
  readonly logger: Logger;
}

/** Open runs, the newest first. */
type Candidates = readonly [InteractionRow, ...InteractionRow[]];

async function continueNewest(candidates: Candidates, resuming: Resuming): Promise<number> {
  const {launched} = resuming;
  const {leftOut, ...taken} = await takeUp(candidates, resuming);
  const warnings = [...launched.warnings, ...leftOut.map(({message}) => message)];
  try {
    return await followContinued({...taken, warnings}, resuming);
  } catch (error) {
    throw withWhatIsLeft(taken.row.id, error);
  }
}

interface TakenUp extends Omit<Continued, 'warnings'> {
  /** Errors of newer runs that can't be resumed. */
  readonly leftOut: readonly AppError[];
}

/** Resumes the newest resumable run. Rejects with the error of the newest when there is none. */
async function takeUp(
  [row, ...others]: Candidates,
  resuming: Resuming,
  leftOut: readonly AppError[] = [],
): Promise<TakenUp> {
  try {
    return {row, leftOut, ...(await begin(row, resuming))};
  } catch (error) {
    const detailed = withWhatIsLeft(row.id, error);
    if (!isStuck(detailed)) throw detailed;
    const [next, ...rest] = others;
    if (!next) throw leftOut[0] ?? detailed;
    return await takeUp([next, ...rest], resuming, [...leftOut, detailed]);
  }
}

async function begin(
  row: InteractionRow,
  {launched: {runtime}, parsed, terminal, given}: Resuming,
): Promise<Omit<TakenUp, 'row' | 'leftOut'>> {
  const interview = await interviewOptions(row.form, parsed, terminal);
  const recorded = Promise.withResolvers<Recorded>();
  const move = await movedTo(row, parsed);
  const run = await runtime.resume(row.id, {
    ...(await changesIn(parsed)),
    ...move,
    prepare: async (entries) => {
      recorded.resolve(await recordedIn(entries, row, given));
      await runtime.ready({run: row.id, entries, ...move});
    },
  });
  return {run, recorded: await recorded.promise, interview};
}

/** With an ID, `-C` names the folder to which the run was moved. */
async function movedTo(
  {workspace}: InteractionRow,
  {operands: [id], cwd}: Parsed,
): Promise<Pick<ResumeWith, 'workspace'>> {
  if (id === undefined || cwd === undefined) return {};
  const {realPath} = await import('../../actors/run/validation.ts');
  return realPath(cwd) === workspace ? {} : {workspace: cwd};
}

/** The run is outdated or damaged. */
function isStuck(error: unknown): error is AppError {
  return (
    error instanceof AppError && (error.code === 'divergence' || error.code === 'journal_corrupt')
  );
}

/** Adds the ways to read a run that can't be resumed. */
function withWhatIsLeft(id: string, error: unknown): unknown {
  if (!isStuck(error)) return error;
  const [run, left] = [oneLine(id), whatIsLeft(id)];
  const why = error.message.replace(/[^.?]$/, '$&.');
  return new AppError(error.code, t`run ${run} can't be resumed: ${why} ${left}`, {cause: error});
}

/** For a run that ended in a crash before its result was printed: prints the result and returns its exit code. */
async function printEndedResult(
  row: InteractionRow,
  {journal, parsed, terminal}: Pick<Resuming, 'parsed' | 'terminal'> & {readonly journal: Journal},
): Promise<number> {
  const {recordedResult} = await import('../../actors/run/run-result.ts');
  const {createOutput} = await import('../render/result/output.ts');
  const result = recordedResult(await journal.log.read(row.id));
  if (!result) throw hasEnded(row);
  const {onResult} = await interviewOptions(row.form, parsed, terminal);
  await onResult?.(result);
  await createOutput(terminal, parsed.output).finish(result);
  return result.exitCode;
}

function hasEnded({id, status = ''}: InteractionRow): AppError {
  const name = oneLine(id);
  return usageError(t`run ${name} has ended (${status}); quorate show ${name} shows it`);
}

// `quorate --continue`: on a terminal the latest conversation of this folder, otherwise its newest open run.

export const continueCommand: Command = {
  ...resume,
  run: async (parsed, terminal) => {
    const isPlain = parsed.output === 'text' && Object.keys(parsed.flags).length === 0;
    if (!isPlain || !isInteractive(terminal)) return await resume.run(parsed, terminal);
    const {openChat} = await import('../talk/open-chat.ts');
    return await openChat(parsed, terminal, {kind: 'latest'});
  },
};
