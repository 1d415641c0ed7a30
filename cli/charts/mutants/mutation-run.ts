/** Runs the tests of a machine once without a change, then once for each of its mutants. */

import {existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import type {Mutant} from '../../../machines/testing/mutants/mutant.ts';
import type {Texts} from '../../language.ts';
import {usageError} from '../../line/usage-error.ts';
import {escapedLines} from '../../render/text.ts';
import type {MachineMark, MutantOrder} from './order.ts';
import {runTests, type TestCommand, type TestRun} from './test-command.ts';

export interface MutationRun extends TestCommand {
  readonly machine: MachineMark;
  readonly mutants: readonly Mutant[];
  /** Processes of tests at a time. */
  readonly jobs: number;
  /** For the tests of one mutant. Absent: a multiple of the time that the tests take without a mutant. */
  readonly timeoutMs?: number;
  /** Ends the run, with the results up to then. */
  readonly signal: AbortSignal;
  readonly onBaseline: (ms: number) => void;
  readonly onTried: (tried: Tried) => void;
}

/** `not_created`: the tests did not create the machine, so they can't detect the mutant. */
export type Outcome = 'found' | 'survived' | 'timed_out' | 'not_created';

export interface Tried {
  readonly mutant: Mutant;
  readonly outcome: Outcome;
  readonly ms: number;
}

const usualTimes = 5;
/** Minimum time-out, also for short tests: a busy computer takes a moment to start a process. */
const leastMs = 10_000;

/**
 * Resolves with a result for each mutant, in their order; after an abort, with the results up to then. Rejects with AppError
 * `usage` when the tests fail without a mutant, or never create the machine.
 */
export async function tryMutants(run: MutationRun): Promise<readonly Tried[]> {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-mutants-'));
  try {
    const ms = await runBaseline(run, folder);
    if (ms === undefined) return [];
    run.onBaseline(ms);
    const timeoutMs = run.timeoutMs ?? Math.max(leastMs, usualTimes * ms);
    return await tryAll({...run, timeoutMs}, folder);
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

/** Resolves with the duration of the tests; undefined when the signal ended them. */
async function runBaseline(run: MutationRun, folder: string): Promise<number | undefined> {
  const order = orderFor(run, folder, 'none');
  const {end, ms, tail} = await runTests(run, order, {signal: run.signal});
  if (end === 'interrupted') return undefined;
  if (end !== 'passed') {
    throw usageError(
      {
        en: `the tests fail without a mutant: ${run.line}`,
        ja: `変異なしでテストが失敗します: ${run.line}`,
      },
      {details: lastLines(tail)},
    );
  }
  if (!existsSync(order.madeFile)) throw usageError(neverMade(run));
  return ms;
}

function neverMade({machine, line}: MutationRun): Texts {
  return {
    en:
      `the tests pass, but do not make the machine ${machine.id}: ${line}. ` +
      'It has to be made in a Node process by the package xstate, loaded by Node itself: ' +
      'not in a browser, by Jest, or in a pool of vm contexts',
    ja:
      `テストは通りますが、マシン ${machine.id} を作りません: ${line}。` +
      'Node 自身が読み込むパッケージ xstate で、Node のプロセスの中で作る必要があります。' +
      'ブラウザー、Jest、vm コンテキストでは作れません',
  };
}

const shownLines = 20;

function lastLines(tail: string): string[] {
  return escapedLines(tail.trimEnd()).slice(-shownLines);
}

function orderFor({machine}: MutationRun, folder: string, name: string): MutantOrder {
  return {machine, madeFile: join(folder, name)};
}

async function tryAll(
  run: MutationRun & {readonly timeoutMs: number},
  folder: string,
): Promise<readonly Tried[]> {
  const results = new Map<Mutant, Tried>();
  const waiting = [...run.mutants.entries()];
  const work = async (): Promise<void> => {
    const [index, mutant] = waiting.shift() ?? [];
    if (index === undefined || !mutant || run.signal.aborted) return;
    const order = {...orderFor(run, folder, String(index)), mutant: mutant.name};
    const tests = await runTests(run, order, run);
    const outcome = outcomeOf(tests, existsSync(order.madeFile));
    if (outcome !== undefined) {
      const tried = {mutant, outcome, ms: tests.ms};
      results.set(mutant, tried);
      run.onTried(tried);
    }
    return await work();
  };
  await Promise.all(Array.from({length: run.jobs}, work));
  return run.mutants.flatMap((mutant) => results.get(mutant) ?? []);
}

function outcomeOf({end}: TestRun, isMade: boolean): Outcome | undefined {
  if (end === 'interrupted') return undefined;
  if (!isMade) return 'not_created';
  if (end === 'timed_out') return 'timed_out';
  return end === 'failed' ? 'found' : 'survived';
}
