/** The results of plans for prompts: the known facts of each call, with the texts of others quoted. */

import {canonicalJson} from '../../../domain/digest.ts';
import type {Change} from '../../../domain/patch.ts';
import type {Plan, Task} from '../../../domain/plan.ts';
import {type CallFact, checkNames, type TaskResult} from '../../../domain/result.ts';
import type {ContextSettings} from '../../../domain/settings.ts';
import {bytesOf, cap} from '../../../domain/text-limits.ts';
import {textsAt} from '../../../domain/tool-facts.ts';
import type {CheckRun} from '../../../domain/tool.ts';
import {
  engineLine,
  fittedText,
  jsonText,
  lineWithin,
  listText,
  nameText,
  type Quotation,
  quotedFrom,
  type SectionText,
  spaced,
  stacked,
} from '../../../prompts/section-text.ts';
import {fateOf, openWork, type PlanRun, resultsOf} from '../execution/open-work.ts';

/** Limits of one call in UTF-16 units: its arguments, its outcome, the diffs of its changes. */
const maxArgs = 600;
const maxOutcome = 2_000;
const maxDiffs = 3_000;

/** Minimum for the arguments of a call when the list is too long, in UTF-16 units. */
const leastArgs = 80;

/** The number of last calls of a task whose outputs are shown. */
const shownOutputs = 5;

/** Estimated size of a call with short arguments, or of a change, in bytes. */
const shortCall = 150;

/** Maximum number of files named for one call. */
const maxChanges = 30;

/** Limit of a text inside an engine line, such as a description, in UTF-16 units. */
const maxProse = 1_000;

/** Minimum for each task, in bytes, with any number of tasks. */
const leastShare = 500;

/** The fraction of a task's share for its list of calls. */
const callsShare = 0.5;

type Part = SectionText | Quotation;

/** The problems of the plans that ran, each once, under the objective of the last plan that had it. */
export function feedbackText(runs: readonly PlanRun[]): SectionText {
  const found = runs.map(({evaluation}) => {
    const {problems = [], feedback = ''} = evaluation ?? {};
    return [...problems.map((problem) => `- ${problem}`), feedback].filter((line) => line !== '');
  });
  const counts = Map.groupBy(found.flat(), withoutTask);
  const texts = runs.flatMap(({plan}, at) => {
    const later = new Set(found.slice(at + 1).flatMap((lines) => lines.map(withoutTask)));
    const lines = found[at]?.filter((line) => !later.has(withoutTask(line))) ?? [];
    if (lines.length === 0) return [];
    const counted = lines.map((line) => {
      const times = counts.get(withoutTask(line))?.length ?? 1;
      return times === 1 ? line : `${line} (${times} times)`;
    });
    return [
      stacked(
        engineLine`Plan: ${prose(plan.objective)}`,
        quotedFrom(engineLine`Problems and feedback`, counted.join('\n')),
      ),
    ];
  });
  return spaced(...texts);
}

/** The problem without the task's id: a task that is redone has another id and may have the same problem. */
function withoutTask(problem: string): string {
  return problem.replace(/^- task .+? (?=(?:failed|skipped|stopped): |was not reached: )/, '- ');
}

/** The open work: no later plan redoes or drops it. */
export function openText(runs: readonly PlanRun[]): SectionText {
  return listText(
    openWork(runs).map(({id, description}) => engineLine`${nameText(id)}: ${prose(description)}`),
  );
}

/** How much of the results is shown. Absent: all results in full, within the limit of the whole text. */
type ShownResults = Partial<Pick<ContextSettings, 'recentFullCount' | 'maxEntryBytes'>>;

/**
 * All results in the order of the plans, each with its expected outcome and its fate in later plans: the latest
 * `recentFullCount` with their calls, changes, last outputs and reports, older ones in a few lines. About `max` bytes at
 * most; if all results are longer, each task gets an equal share.
 */
export function resultsText(
  runs: readonly PlanRun[],
  max: number,
  {recentFullCount = Infinity, maxEntryBytes = Infinity}: ShownResults = {},
): SectionText {
  const plans = runs.map(({plan}) => plan);
  const alike = Map.groupBy(resultsOf(runs), outcomeKey);
  const given = runs.flatMap(({plan, results}, index) =>
    results.map((result): Given => ({
      result,
      plan,
      later: plans.slice(index + 1),
      alike: alike.get(outcomeKey(result)) ?? [],
    })),
  );
  const full = Math.max(0, given.length - recentFullCount);
  const older = given.slice(0, full).map((each) => stacked(...headParts(each)));
  const recent = given.slice(full);
  const within = (size: number): SectionText =>
    spaced(...older, ...recent.map((each) => resultWithin(each, size)));
  const whole = within(maxEntryBytes);
  if (bytesOf(whole) <= max) return whole;
  const room = max - bytesOf(spaced(...older)) - 2 * recent.length;
  const share = Math.max(leastShare, Math.floor(room / Math.max(1, recent.length)));
  return within(Math.min(maxEntryBytes, share));
}

interface Given {
  readonly result: TaskResult;
  readonly plan: Plan;
  readonly later: readonly Plan[];
  /** The results with the same outcome, this one included. */
  readonly alike: readonly TaskResult[];
}

/** Equal for tasks that failed in the same way. Each task that succeeded has its own key. */
function outcomeKey({id, status, output, failure, calls = []}: TaskResult): string {
  if (status === 'succeeded') return canonicalJson([id]);
  const did = calls.map(({tool, args, status: end, text}) => [tool, args, end, text]);
  return canonicalJson([status, output, failure?.message, did]);
}

/** The calls are all listed if they leave enough room for the quotations. */
function resultWithin(given: Given, max: number): SectionText {
  const parts = resultParts(given, Infinity);
  const lines = parts.filter((part) => typeof part === 'string');
  if (bytesOf(stacked(...lines)) <= max * callsShare) return fittedText(parts, max);
  return fittedText(resultParts(given, max * callsShare), max);
}

function headOf({id, status, description}: TaskResult): SectionText {
  return engineLine`Task ${nameText(id)} (${status}): ${prose(description)}`;
}

function headParts({result, plan, later}: Given): SectionText[] {
  const task = plan.tasks.find(({id}) => id === result.id);
  return [headOf(result), ...fateParts(result, task, later)];
}

/** A repeated failure is described once, at its last task. `maxCalls`: limit for the list of calls, in bytes. */
function resultParts(given: Given, maxCalls: number): Part[] {
  const {result, plan, alike} = given;
  const last = alike.at(-1);
  const isCall = plan.tasks.some(({id, args}) => id === result.id && args !== undefined);
  const {calls = []} = result;
  const head = headParts(given);
  if (last !== undefined && last !== result)
    return [...head, engineLine`Outcome: the same as that of task ${nameText(last.id)} below`];
  return [
    ...head,
    alike.length > 1 ? engineLine`This outcome occurred ${alike.length} times.` : '',
    {
      source: isCall ? engineLine`Result` : engineLine`Report of the worker, a model`,
      text: result.output,
    },
    ...doneParts(calls, isCall, maxCalls),
  ];
}

function fateParts(
  {status}: TaskResult,
  task: Task | undefined,
  later: readonly Plan[],
): SectionText[] {
  const {redoneBy, dropped} =
    (task !== undefined && status !== 'succeeded' ? fateOf(task, later) : undefined) ?? {};
  return [
    task?.expected_outcome === undefined
      ? ''
      : engineLine`Expected: ${prose(task.expected_outcome)}`,
    redoneBy === undefined ? '' : engineLine`Redone by task ${nameText(redoneBy)}`,
    dropped === undefined ? '' : engineLine`Dropped by a later plan: ${prose(dropped)}`,
  ];
}

/** The output of an exact call is already the result of its task. `max`: limit for the engine's lines, in bytes. */
function doneParts(calls: readonly CallFact[], isCall: boolean, max: number): Part[] {
  if (calls.length === 0) return isCall ? [] : [engineLine`Done: no call was made.`];
  const [first, last] = shownCalls(calls, max);
  const gone = calls.slice(first.length, calls.length - last.length);
  const own = max / (first.length + last.length);
  const printed = new Set(isCall ? [] : calls.slice(-shownOutputs));
  const partsOf = (call: CallFact): Part[] =>
    callParts(call, {isPrinted: printed.has(call), after: laterText(call, calls), max: own});
  return [
    engineLine`Done:`,
    ...first.flatMap(partsOf),
    ...(gone.length > 0 ? [goneLine(gone)] : []),
    ...last.flatMap(partsOf),
  ];
}

/** All calls, or the first and the last ones: as many as fit with short arguments. */
function shownCalls(
  calls: readonly CallFact[],
  max: number,
): readonly [first: readonly CallFact[], last: readonly CallFact[]] {
  const count = Math.max(2, Math.floor(max / shortCall));
  if (calls.length <= count) return [calls, []];
  const first = Math.ceil(count / 2);
  return [calls.slice(0, first), calls.slice(calls.length - (count - first))];
}

function goneLine(gone: readonly CallFact[]): SectionText {
  const counts = Map.groupBy(gone, ({status}) => status);
  const named = [...counts].map(([status, own]) => `${own.length} ${status}`);
  return engineLine`… calls that are not shown: ${named.join(', ')}`;
}

interface ShownCall {
  readonly isPrinted: boolean;
  /** Its later repetitions. */
  readonly after: string;
  /** Limit for its lines, in bytes. */
  readonly max: number;
}

function callParts(call: CallFact, {isPrinted, after, max}: ShownCall): Part[] {
  const {text, changes = []} = call;
  return [
    callLine(call, after, Math.max(leastArgs, Math.min(maxArgs, max / 2))),
    ...(isPrinted ? [{source: engineLine`Output`, text: cap(text, maxOutcome)}] : []),
    ...changeParts(changes, Math.max(1, Math.min(maxChanges, Math.floor(max / shortCall)))),
  ];
}

function callLine(call: CallFact, after: string, max: number): SectionText {
  const {tool, args, status, exitCode, confinement, checks = []} = call;
  const code = exitCode === undefined ? '' : `, exit code ${exitCode}`;
  const checked = checks.map((check) => `, ${checkNames[check.kind]}: ${checkEnds[check.status]}`);
  const place = confinement === 'none' ? ', unconfined' : '';
  const end = `${status}${code}${checked.join('')}${place}${after}`;
  return engineLine`- ${nameText(tool)} ${lineWithin(jsonText(args), max)}: ${end}`;
}

const checkEnds: Readonly<Record<CheckRun['status'], string>> = {
  passed: 'passed',
  failed: 'failed',
  unknown: 'unknown, because the exit code is that of another command',
};

/** For a failed command: whether it, or another that begins with the same two words, succeeded later. */
function laterText(call: CallFact, calls: readonly CallFact[]): string {
  const [command] = textsAt(call.args, ['command']);
  if (call.status !== 'failed' || command === undefined) return '';
  const later = calls
    .slice(calls.indexOf(call) + 1)
    .filter(({tool, status}) => tool === call.tool && status === 'succeeded')
    .flatMap(({args}) => textsAt(args, ['command']));
  if (later.includes(command)) return ', succeeded later';
  const isLike = later.some((other) => firstWords(other) === firstWords(command));
  return isLike ? ', a similar one succeeded later' : ', not repeated with success';
}

function firstWords(command: string): string {
  return command.trim().split(/\s+/).slice(0, 2).join(' ');
}

/** The first `count` changes. Their diffs share `maxDiffs`. */
function changeParts(changes: readonly Change[], count: number): Part[] {
  const shown = changes.slice(0, count);
  const share = Math.floor(maxDiffs / Math.max(1, shown.length));
  const more = changes.length - shown.length;
  return [
    ...shown.map(({path, added, removed, diff = ''}): Part => {
      const change = engineLine`Changed ${nameText(path)} +${added} −${removed}`;
      return diff === '' ? change : {source: change, text: cap(diff, share)};
    }),
    ...(more > 0 ? [engineLine`Changed ${more} more files that are not shown`] : []),
  ];
}

function prose(text: string): string {
  return lineWithin(jsonText(text), maxProse);
}
