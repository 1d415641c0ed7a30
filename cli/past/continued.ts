/** Runs that continue from a journal: by `resume`, `fork` and `rewind`. */

import type {Entry, InteractionRow, Journal, Origin} from '../../actors/journal/journal.ts';
import type {Logger} from '../../actors/logger.ts';
import type {ResumeWith, Run} from '../../actors/runtime-api.ts';
import type {AppError} from '../../machines/domain/app-error.ts';
import {converses} from '../../machines/domain/interaction-form.ts';
import {type Message, t} from '../../machines/message.ts';
import {type Reader, say} from '../language.ts';
import {levelOf, type Parsed} from '../line/command.ts';
import {type DecisionFlag, readDecisionFlag} from '../line/decision-flag.ts';
import type {WithAnswers} from '../line/option-values.ts';
import {usageError} from '../line/usage-error.ts';
import {placeText} from '../render/tables/sessions.ts';
import {oneLine} from '../render/text.ts';
import type {SessionOptions} from '../session.ts';
import {type Terminal, tryToWrite} from '../terminal.ts';
import {findRow} from './find-run.ts';

interface DecisionOptions {
  readonly decision: string | undefined;
  readonly reason?: string | undefined;
  readonly gate?: string | undefined;
}

export function decisionIn({decision, reason, gate}: DecisionOptions): DecisionFlag | undefined {
  if (decision !== undefined) return readDecisionFlag(decision, reason, gate);
  if (reason !== undefined) throw needsDecision('--reason');
  if (gate !== undefined) throw needsDecision('--gate');
  return undefined;
}

function needsDecision(flag: string): AppError {
  return usageError(t`${flag} goes with --decision`);
}

export type Recorded = Pick<SessionOptions, 'opening' | 'seen' | 'decision' | 'digest'>;

/** Reads the session's options from the journal. Rejects with AppError `usage` for an edited plan that does not fit it. */
export async function recordedIn(
  entries: readonly Entry[],
  row: InteractionRow,
  given: DecisionFlag | undefined,
): Promise<Recorded> {
  const {toDecision} = await import('../line/decision.ts');
  const {editGround, openingOf} = await import('./history.ts');
  const {recordedTree} = await import('./history.ts');
  const {tryPeekRun} = await import('../../actors/sessions/run-state.ts');
  return {
    opening: async () => openingOf(entries),
    seen: recordedTree(row, entries, await tryPeekRun(row.id, entries)),
    ...(given ? {decision: toDecision(given, editGround(entries, given.digest))} : {}),
    ...(given?.digest === undefined ? {} : {digest: given.digest}),
  };
}

/** Undefined options for other forms. Rejects with AppError `usage` for flags that only an interview takes. */
export async function interviewOptions(
  form: string,
  parsed: WithAnswers,
  terminal: Terminal,
): Promise<Pick<SessionOptions, 'screen' | 'onResult'>> {
  if (!converses(form)) {
    if (parsed.options.answers === undefined) return {};
    throw usageError(t`--answers is for an interview, and this run is not an interview (${form})`);
  }
  const {interviewSession} = await import('../interview/start.ts');
  return await interviewSession(parsed, terminal, {isResumed: true});
}

async function followedForm(run: Run, row: InteractionRow): Promise<readonly string[]> {
  const {followForm} = await import('../interview/start.ts');
  return await followForm(run, row);
}

/** The changes of the flags, as configuration. */
export async function changesIn({overrides}: Parsed): Promise<Pick<ResumeWith, 'settings'>> {
  if (overrides.length === 0) return {};
  const {toNested} = await import('../config/file.ts');
  const layer = overrides.map(({key, value, source}) => ({path: key.split('.'), value, source}));
  return {settings: toNested(layer)};
}

/** Names the run, and the effects that were aborted when it was left. */
function whichRun(
  row: InteractionRow,
  {run, origin, isFollowed}: Pick<Continued, 'run' | 'origin' | 'isFollowed'>,
  reader: Reader,
): string {
  const [name, task] = [oneLine(row.id), oneLine(row.request, 300)];
  const folder = placeText(row) || say(t`no folder`, reader);
  if (isFollowed) return `${say(t`following ${name} in ${folder}: ${task}`, reader)}\n`;
  const head = origin
    ? t`${name}, forked from ${oneLine(origin.id)} after entry ${origin.seq}, in ${folder}: ${task}`
    : t`resuming ${name} in ${folder}: ${task}`;
  const lines = [say(head, reader), ...run.underWay().map((what) => `  ${oneLine(what, 300)}`)];
  return lines.map((line) => `${line}\n`).join('');
}

export interface Continued {
  readonly row: InteractionRow;
  readonly run: Run;
  /** Of a new fork: the entry that it continues. */
  readonly origin?: Origin;
  /** Another process performs it. */
  readonly isFollowed?: true;
  readonly recorded: Recorded;
  readonly interview: Pick<SessionOptions, 'screen' | 'onResult'>;
  readonly warnings: readonly (Message | string)[];
}

interface Following {
  readonly parsed: Parsed;
  readonly terminal: Terminal;
  readonly logger: Logger;
}

/** Shows the run to its end or its suspension. Resolves with the exit code. */
export async function followContinued(
  {row, run, recorded, interview, warnings, ...kind}: Continued,
  {parsed, terminal, logger}: Following,
): Promise<number> {
  const {workspace, form} = row;
  const {runSession} = await import('../session.ts');
  const hasForm = converses(form) && !kind.isFollowed;
  const formWarnings = hasForm ? await followedForm(run, row) : [];
  if (!parsed.quiet) await tryToWrite(terminal.stderr, whichRun(row, {run, ...kind}, terminal));
  return await runSession(run, {
    terminal,
    form,
    output: parsed.output,
    level: levelOf(parsed),
    workspace,
    logger,
    ...recorded,
    ...interview,
    isFollowed: kind.isFollowed === true,
    warnings: [...warnings, ...formWarnings],
  });
}

// The past of a forked run as its screen shows it, read as the run begins.

interface ForkedPast {
  readonly row: InteractionRow;
  readonly recorded: Recorded;
  /** The entry that the fork continues. */
  readonly origin?: Origin;
}

interface ForkPastReader {
  /** For `Runtime.fork`. Rejects with AppError `usage` for an edited plan that does not fit. */
  readonly prepare: (entries: readonly Entry[]) => Promise<void>;
  /** Throws Error before `prepare` was called. */
  readonly past: () => ForkedPast;
}

export function createForkPast(journal: Journal, given: DecisionFlag | undefined): ForkPastReader {
  let read: ForkedPast | undefined;
  return {
    prepare: async (entries) => {
      const {openedIn} = await import('../../actors/run/run-input.ts');
      const row = await findRow(journal, openedIn(entries)?.id ?? '');
      const [opened] = entries;
      const origin = opened?.type === 'opened' ? opened.origin : undefined;
      const recorded = await recordedIn(entries, row, given);
      read = {row, recorded, ...(origin ? {origin} : {})};
    },
    past: () => {
      if (read) return read;
      throw new Error('the run was forked without its entries');
    },
  };
}
