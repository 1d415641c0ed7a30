/** Several forks of a run, one after another, and the table that compares them. */

import {mkdtempSync} from 'node:fs';
import {join} from 'node:path';

import type {ForkOptions} from '../../actors/history/history-api.ts';
import type {InteractionRow} from '../../actors/journal/journal.ts';
import type {Run, Runtime} from '../../actors/runtime-api.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {temporaryFolder} from '../../tools/temporary-folder.ts';
import {levelOf, type Parsed} from '../line/command.ts';
import {wordIn} from '../render/live/texts.ts';
import {durationText, costText} from '../render/numbers.ts';
import {styleFor} from '../render/style.ts';
import {momentTexts} from '../render/tables/moment-texts.ts';
import {tableLines} from '../render/tables/table.ts';
import {oneLine, safeJson} from '../render/text.ts';
import {pageWidthOf, tryToWrite, type Terminal, write} from '../terminal.ts';

export interface Comparing {
  readonly at: string;
  readonly count: number;
  readonly how: Pick<ForkOptions, 'settings' | 'say'>;
  readonly runtime: Runtime;
  readonly parsed: Parsed;
  readonly terminal: Terminal;
}

interface ComparedFork {
  readonly run: string;
  readonly status: string;
  /** The number of tasks of its plan. */
  readonly tasks?: number;
  /** The summary of each vote after the point: `[●●○]`. */
  readonly votes: readonly string[];
  /** Of the calls after the point; absent: no model with a known price was called. */
  readonly costUsd?: number;
  readonly modelCalls: number;
  readonly ms: number;
  readonly folder: string;
  readonly summary: string;
}

/** Resolves with the exit code: 0 when each fork has completed. */
export async function compareForks(row: InteractionRow, comparing: Comparing): Promise<number> {
  const {parsed, terminal} = comparing;
  const forks = await forkInTurn(row, comparing, []);
  const {output} = parsed;
  const text =
    output === 'text'
      ? forkLines(forks, terminal).join('\n')
      : safeJson(forks, output === 'json' ? 2 : undefined);
  await write(terminal.stdout, `${text}\n`);
  return forks.every(({status}) => status === 'completed') ? 0 : 1;
}

async function forkInTurn(
  row: InteractionRow,
  comparing: Comparing,
  done: readonly ComparedFork[],
): Promise<readonly ComparedFork[]> {
  if (done.length === comparing.count) return done;
  const fork = await forkOnce(row, comparing, done.length === 0);
  const {parsed, terminal} = comparing;
  if (levelOf(parsed) !== 'quiet') {
    const status = wordIn(fork.status, terminal);
    const line = `${done.length + 1}/${comparing.count} ${fork.run}: ${status}`;
    await tryToWrite(terminal.stderr, `${oneLine(line)}\n`);
  }
  return await forkInTurn(row, comparing, [...done, fork]);
}

/** A later fork that fails to begin is a row of its own: the forks before it are shown, too. */
async function forkOnce(
  row: InteractionRow,
  comparing: Comparing,
  isFirst: boolean,
): Promise<ComparedFork> {
  const folder = join(mkdtempSync(join(temporaryFolder(), 'quorate-fork-')), 'copy');
  try {
    return await forkIn(folder, row, comparing);
  } catch (error) {
    if (isFirst || !(error instanceof AppError)) throw error;
    const nothing = {run: '', status: 'error', votes: [], modelCalls: 0, ms: 0};
    return {...nothing, folder, summary: error.message};
  }
}

async function forkIn(
  folder: string,
  row: InteractionRow,
  {at, how, runtime}: Comparing,
): Promise<ComparedFork> {
  await runtime.copyFolder(row.id, at, folder);
  const began = performance.now();
  const run = await runtime.fork(row.id, {at, ...how, workspace: folder});
  const spent = await follow(run);
  const result = await run.result;
  return {
    run: run.id,
    status: result.status,
    ...(result.plan ? {tasks: result.plan.tasks.length} : {}),
    ...spent,
    ms: Math.round(performance.now() - began),
    folder,
    summary: summaryOf(result),
  };
}

/** Follows a run to its end. It is suspended where it would wait for a person. */
async function follow(run: Run): Promise<Pick<ComparedFork, 'votes' | 'costUsd' | 'modelCalls'>> {
  const votes: string[] = [];
  let costUsd: number | undefined;
  let modelCalls = 0;
  for await (const event of run.events) {
    if (event.type === 'quorum.decided') votes.push(event.summary);
    if (event.type === 'usage') {
      modelCalls += event.spent.modelCalls;
      if (event.spent.costUsd !== undefined) costUsd = (costUsd ?? 0) + event.spent.costUsd;
    }
    if (isQuestion(event)) void run.suspend('waiting');
  }
  return {votes, modelCalls, ...(costUsd === undefined ? {} : {costUsd})};
}

function isQuestion({type}: ProgressEvent): boolean {
  return type === 'human.requested' || type === 'interview.asked';
}

function summaryOf({answer, summary}: RunResult): string {
  return answer ?? summary;
}

function forkLines(forks: readonly ComparedFork[], terminal: Terminal): string[] {
  const {stdout, env, language} = terminal;
  const style = styleFor(stdout, {env, language});
  const texts = momentTexts(style);
  return tableLines(
    texts.forks,
    forks.map(({run, status, tasks, votes, costUsd, ms, folder}) => [
      run,
      wordIn(status, style),
      tasks === undefined ? '' : texts.tasks(tasks),
      votes.join(' '),
      costUsd === undefined ? '' : costText(costUsd),
      durationText(ms),
      folder,
    ]),
    style,
    pageWidthOf(stdout),
  );
}
