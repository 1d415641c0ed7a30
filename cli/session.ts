/** One run in front of a person or a pipe: shows its events, asks its questions, handles signals, prints its result. */

import type {Logger} from '../actors/logger.ts';
import type {Run} from '../actors/runtime-api.ts';
import type {HumanDecision} from '../machines/domain/human.ts';
import type {RunResult} from '../machines/domain/result.ts';
import {type Message, t} from '../machines/message.ts';
import {createOpenGates} from './gate/decide.ts';
import {createPipedPrompter} from './interview/piped.ts';
import {type Reader, say} from './language.ts';
import type {OutputFormat} from './line/command.ts';
import {createGivenDecision} from './line/decision.ts';
import {logWarning} from './log.ts';
import type {Opening} from './past/history.ts';
import {withoutLastOutage} from './render/live/reporter.ts';
import {createOutput, type ResultOutput, type Seen} from './render/result/output.ts';
import {footerLines, hasResult, isDocument} from './render/result/result.ts';
import {continueLines, waitingLines} from './render/result/waiting.ts';
import {type Level, styleFor} from './render/style.ts';
import {oneLine} from './render/text.ts';
import {emptyView, type RunView} from './render/view/run-view.ts';
import {warningText} from './render/warning.ts';
import {attend, createOneRun, type OneRun} from './talk/one-run.ts';
import {isInteractive, isOneScreen, onInterrupt, pageWidthOf, type Terminal} from './terminal.ts';
import {createProgress, type Progress} from './terminal/progress.ts';
import type {Prompter} from './terminal/prompter.ts';
import {createSurface, type Surface} from './terminal/surface.ts';

export interface SessionOptions {
  readonly terminal: Terminal;
  readonly output: OutputFormat;
  readonly level: Level;
  readonly form: string;
  /** Absolute: the folder that the run works in. */
  readonly workspace: string;
  /** Resolves once the run is opened: the tools an edited plan may use, and the model of each phase. */
  readonly opening: () => Promise<Pick<Opening, 'tools' | 'models'>>;
  /** Warnings of the launcher, shown after those of the runtime. */
  readonly warnings: readonly (Message | string)[];
  /** Receives every event. */
  readonly logger: Logger;
  /** The view of a continued run as it was left. */
  readonly seen?: RunView;
  /** The answer for the gate that a resumed run waits at. */
  readonly decision?: HumanDecision;
  /** The beginning of the SHA-256 of the content that `decision` is about. */
  readonly digest?: string;
  /** Receives the result before it is printed. A rejection ends the program with its code. */
  readonly onResult?: (result: RunResult) => Promise<void>;
  /** Replaces the commands that the result names. */
  readonly hints?: (result: RunResult) => readonly string[];
  /** Replaces the usual display and questions. */
  readonly screen?: OpenScreen;
  /** Another process performs the run, which continues when it is left. */
  readonly isFollowed?: boolean;
}

interface Shown {
  readonly one: OneRun;
  readonly surface: Surface;
  /** Opens the usual progress display, which holds the terminal from then on. */
  readonly openProgress: () => Progress;
  readonly suspend: (why: 'waiting' | 'interrupted') => void;
}

interface Screens {
  readonly progress: Progress;
  readonly prompter: Prompter;
}

export type OpenScreen = (shown: Shown) => Screens;

type Session = Pick<Shown, 'one'> & Screens;

/**
 * Resolves with the exit code once the run has ended or was suspended. Throws AppError `usage` or `nothing_waiting` for a
 * `decision` that answers no open question; the run is suspended then.
 */
export async function runSession(run: Run, options: SessionOptions): Promise<number> {
  const {terminal} = options;
  const session = openSession(run, options);
  const interrupt = (): void => void run.suspend('interrupted');
  const stopListening = onInterrupt(interrupt);
  terminal.stdout.on('error', interrupt);
  try {
    const result = await follow(session, options);
    noteContinuation(session, result, options);
    return result.exitCode;
  } catch (error) {
    await run.suspend('waiting');
    throw error;
  } finally {
    await session.prompter.close();
    session.progress.close();
    stopListening();
    terminal.stdout.off('error', interrupt);
  }
}

function openSession(run: Run, options: SessionOptions): Session {
  const {terminal, level, output, form, opening, workspace, seen = emptyView} = options;
  const surface = createSurface(terminal);
  const openProgress = (): Progress => {
    // With JSONL on the same screen, stderr shows only the warnings and questions that a person must see.
    const shown = output === 'jsonl' && level === 'normal' ? 'warnings' : level;
    const streamsAnswers = form === 'ask' && output === 'text' && isOneScreen(terminal);
    return createProgress(surface, {level: shown, streamsAnswers, seen});
  };
  const one = createOneRun({
    run,
    gates: createOpenGates(run),
    form,
    workspace,
    env: terminal.env,
    tools: async () => (await opening()).tools,
    seen,
  });
  const openScreen = options.screen ?? usualScreen(terminal);
  const suspend = (why: 'waiting' | 'interrupted'): void => void run.suspend(why);
  return {one, ...openScreen({one, surface, openProgress, suspend})};
}

function usualScreen(terminal: Terminal): OpenScreen {
  return ({one, surface, openProgress, suspend}) => {
    const progress = openProgress();
    const options = {terminal, surface, progress, suspend};
    const prompter = isInteractive(terminal)
      ? attend(one, options)
      : createPipedPrompter(one, {...options, isExpected: false});
    return {progress, prompter};
  };
}

async function follow(session: Session, options: SessionOptions): Promise<RunResult> {
  const {one, progress, prompter} = session;
  const {run, gates} = one;
  const {terminal, output: format, opening, warnings, logger, decision, digest} = options;
  const output = createOutput(terminal, format);
  for (const warning of warnings) logWarning(logger, warning);
  const noteWarnings = createWarnings(progress, warnings, terminal);
  const giveDecision = createGivenDecision(gates, run.id, decision, digest);
  if (giveDecision()) prompter.refresh();
  progress.know(async () => {
    await run.opened;
    return (await opening()).models;
  });
  const show = hasSeenAll(terminal, options.level)
    ? withoutLastOutage(progress.show)
    : progress.show;
  for await (const event of run.events) {
    // The runtime's warnings come first: the first of them says when no model works.
    if (event.type !== 'warning') noteWarnings();
    one.record(event);
    show(event);
    gates.record(event);
    await output.event(event);
    if (giveDecision(event)) prompter.refresh();
  }
  return await finish(await run.result, {...session, output}, options);
}

async function finish(
  result: RunResult,
  {prompter, progress, output}: Screens & {readonly output: ResultOutput},
  {terminal, output: format, level, onResult, hints, isFollowed}: SessionOptions,
): Promise<RunResult> {
  await onResult?.(result);
  await prompter.close();
  progress.close();
  if (isFollowed && isLeft(result) && format === 'text') return result;
  const seen = seenOf(result, progress, hasSeenAll(terminal, level));
  await output.finish(result, {...seen, ...(hints ? {hints: hints(result)} : {})});
  if (format === 'text' && level !== 'quiet') noteCost(result, progress, terminal);
  return result;
}

/** The person stopped following the run, and no question of it waits. */
function isLeft({resumable, waiting}: RunResult): boolean {
  return resumable === true && !waiting;
}

function seenOf({answer}: RunResult, {wasStreamed}: Progress, isBrief: boolean): Seen {
  return {isBrief, isStreamed: answer !== undefined && wasStreamed(answer)};
}

/** Progress and result are shown on the same screen. */
function hasSeenAll(terminal: Terminal, level: Level): boolean {
  return isOneScreen(terminal) && (level === 'normal' || level === 'verbose');
}

/** For a document only: an answer on stdout has no footer. */
function noteCost(result: RunResult, {note}: Progress, {stderr, env, language}: Terminal): void {
  if (!isDocument(result)) return;
  const view = {style: styleFor(stderr, {env, language}), width: pageWidthOf(stderr)};
  for (const line of footerLines(result, view)) note(line);
}

/** Shows the warnings at the first call. */
function createWarnings(
  {note}: Progress,
  warnings: readonly (Message | string)[],
  reader: Reader,
): () => void {
  const pending = warnings.map((line) => warningText(line, reader));
  return () => {
    for (const line of pending.splice(0)) note(line);
  };
}

/** On stderr, unless the report of the run is there; with -q without the list of commands. */
function noteContinuation(
  {one: {run}, progress}: Session,
  result: RunResult,
  {terminal, output, level, isFollowed = false}: SessionOptions,
): void {
  const {status, resumable, waiting} = result;
  if (status !== 'waiting' && resumable !== true) return;
  if (isFollowed && isLeft(result)) {
    const again = `quorate resume ${oneLine(run.id)}`;
    progress.note(say(t`the run continues where it is; follow it with: ${again}`, terminal));
    return;
  }
  if (output === 'text' && !hasResult(result)) return;
  const lines = waiting
    ? waitingLines(run.id, waiting, {isBrief: level === 'quiet', language: terminal.language})
    : continueLines(result, terminal);
  for (const line of lines) progress.note(line);
}
