/** Finds the lines that match a pattern, in bounded time: literal text by comparison, the rest under a watchdog. */

import {createContext, Script} from 'node:vm';

import {type Attempt, errorCode, failed, refused} from '../containment/denial.ts';

const maxPattern = 1_000;

/** For all regular expression matching of one search, ms. */
const totalMs = 2_000;
/** For one batch of files: the event loop is blocked for at most this long. */
const batchMs = 200;

export interface Matcher {
  /** The indexes of the matching lines, for each text. Denied `regex_timeout` when the pattern takes too long. */
  readonly match: (
    texts: readonly (readonly string[])[],
  ) => Attempt<readonly (readonly number[])[]>;
}

/** Refused `pattern_invalid` when the pattern is not a JavaScript regular expression. */
export function compileMatcher(pattern: string, ignoreCase: boolean): Attempt<Matcher> {
  if (pattern.length > maxPattern) return invalid(`is longer than ${maxPattern} characters`);
  if (!ignoreCase && !/[\\^$.*+?()[\]{}|]/.test(pattern)) {
    return {
      ok: true,
      value: {match: (texts) => ({ok: true, value: find(texts, (line) => line.includes(pattern))})},
    };
  }
  // Other dialects write the flag into the pattern.
  const inline = pattern.startsWith('(?i)');
  const regex = compile(inline ? pattern.slice(4) : pattern, ignoreCase || inline);
  return regex.ok ? {ok: true, value: createGuarded(regex.value)} : regex;
}

function compile(source: string, ignoreCase: boolean): Attempt<RegExp> {
  const flags = ignoreCase ? 'i' : '';
  try {
    return {ok: true, value: new RegExp(source, `${flags}u`)};
  } catch {
    // Without `u`, needless escapes are allowed, and models write many.
  }
  try {
    return {ok: true, value: new RegExp(source, flags)};
  } catch (error) {
    return invalid(error instanceof Error ? error.message : String(error));
  }
}

function invalid(why: string): Attempt<never> {
  return {ok: false, denial: refused('pattern_invalid', `pattern: ${why}`)};
}

function createGuarded(regex: RegExp): Matcher {
  let leftMs = totalMs;
  return {
    match: (texts) => {
      const started = process.threadCpuUsage();
      const found = runBounded(
        () => find(texts, (line) => regex.test(line)),
        Math.min(leftMs, batchMs),
      );
      leftMs -= workedMs(started);
      return found;
    },
  };
}

function find(
  texts: readonly (readonly string[])[],
  matches: (line: string) => boolean,
): number[][] {
  return texts.map((lines) => lines.flatMap((line, index) => (matches(line) ? [index] : [])));
}

const call = new Script('work()');

/** On a busy machine a batch may be interrupted this often, and starts again. */
const maxStarts = 5;

/** Limits the working time: waiting on a busy machine does not count as too long. */
function runBounded<T>(work: () => T, timeoutMs: number): Attempt<T> {
  for (let start = 1; start < maxStarts; start += 1) {
    const started = process.threadCpuUsage();
    const found = runOnce(work, timeoutMs);
    if (found.ok || found.denial !== runaway || workedMs(started) > timeoutMs / 2) return found;
  }
  return runOnce(work, timeoutMs);
}

/** CPU time of this thread, ms. */
function workedMs(since: NodeJS.CpuUsage): number {
  const {user, system} = process.threadCpuUsage(since);
  return (user + system) / 1_000;
}

/** Only `node:vm` can stop a running regular expression. It is used as a clock here, not as a sandbox. */
function runOnce<T>(work: () => T, timeoutMs: number): Attempt<T> {
  let value: {readonly it: T} | undefined;
  try {
    const context = createContext({
      work: () => {
        value = {it: work()};
      },
    });
    call.runInContext(context, {timeout: Math.max(1, Math.ceil(timeoutMs))});
  } catch (error) {
    if (errorCode(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return {ok: false, denial: runaway};
    return invalid(error instanceof Error ? error.message : String(error));
  }
  return value ? {ok: true, value: value.it} : {ok: false, denial: runaway};
}

const runaway = failed(
  'regex_timeout',
  'pattern: takes too long on these files; use a simpler one, without nested repetition, or fewer files',
);
