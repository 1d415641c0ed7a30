/** Laws of turn loops: how often they ask, which replies they accept, and which calls are done. */

import {canonicalJson} from '../../machines/domain/digest.ts';
import type {Task} from '../../machines/domain/plan.ts';
import type {TurnLoopInput} from '../../machines/loop/turn.ts';
import type {PortName} from '../../machines/ports.ts';
import type {Played} from '../support/played.ts';
import {repeatedCalls, unapprovedCalls} from './laws-approval.ts';
import {
  kindOf,
  outputOf,
  settlementsOf,
  requestsOf,
  unless,
  valueIn,
  decisionOf,
  listIn,
  type History,
  under,
  above,
  type Settled,
  sinceResume,
} from './laws-record.ts';

const quickWaitMs = 60_000;
const passing = new Set<unknown>(['rateLimited', 'overloaded', 'network']);

const lacking = new Set<unknown>([...passing, 'auth', 'billing', 'overBudget', 'unavailable']);

/** True for a fault that only says that the model can't be called. If it does not pass, the run waits for a resume. */
export function isOutage(outcome: object | undefined): boolean {
  return lacking.has(kindOf(outcome));
}

/** True for a fault that passes, which is worth another attempt after a pause. */
export function isPassing(outcome: object | undefined): boolean {
  const wait = numberIn(outcome, 'retryAfterMs') ?? 0;
  const most = numberIn(outcome, 'retryMs') ?? quickWaitMs;
  return passing.has(kindOf(outcome)) && wait <= most;
}

function numberIn(outcome: object | undefined, name: string): number | undefined {
  const value = valueIn(outcome, name);
  return typeof value === 'number' ? value : undefined;
}

/** The length of the longest sequence of wanted items in a row. */
export function longestRow<Item>(
  items: readonly Item[],
  isWanted: (item: Item) => boolean,
): number {
  let [longest, row] = [0, 0];
  for (const item of items) {
    row = isWanted(item) ? row + 1 : 0;
    longest = Math.max(longest, row);
  }
  return longest;
}

/** True when the last outcome of a call says that it was done: of its tool, or of a person in doubt. */
export function isCallDone(record: History, call: string): boolean {
  const last = under(record, call).findLast(({type}) => type === 'settled' || type === 'fired');
  if (last?.type !== 'settled') return false;
  if (last.port === 'askHuman') {
    return last.request.kind === 'in-doubt' && decisionOf(last.outcome) === 'done';
  }
  return last.port === 'runTool' && kindOf(last.outcome) === 'succeeded';
}

/** True when a task's exact call was done, or when its model's work was, judged by the outcomes of its calls. */
export function isTaskDone(record: History, execution: string, task: Task): boolean {
  const path = `${execution}/task:${encodeURIComponent(task.id)}`;
  if (task.tool !== undefined && task.args) return isCallDone(record, `${path}/call`);
  return isWorkDone(under(record, path), `${path}/turns`, task);
}

/**
 * True when the model answered, the tool that the task names was used, one of its calls was done (of its changes, if it tried
 * any), and its last change was not rejected.
 */
export function isWorkDone(record: History, loop: string, {tool}: Task): boolean {
  const calls = callsBeforeAnswer(record, loop);
  if (!calls) return false;
  const isDone = ({path}: MadeCall): boolean => isCallDone(record, path);
  const changes = calls.filter(isChange);
  const tried = changes.length > 0 ? changes : calls;
  const isUsed = tool === undefined || calls.some((call) => call.name === tool && isDone(call));
  return isUsed && (tried.length === 0 || tried.some(isDone)) && !isWorkSkipped(record, loop);
}

/** True when the last call that changes something was reviewed and never ran, and the model answered nevertheless. */
export function isWorkSkipped(record: History, loop: string): boolean {
  const change = lastChange(callsBeforeAnswer(record, loop) ?? []);
  if (!change) return false;
  const isBelow = ({path}: {readonly path: string}) => path.startsWith(`${change.path}/`);
  const isReviewed = settlementsOf(record, 'previewTool').some(
    (one) => isBelow(one) && kindOf(one.outcome) === 'ready',
  );
  return isReviewed && !requestsOf(record, 'runTool').some(isBelow);
}

/** True when the turns of a task were used up: its model was asked for a report in the end. */
export function isWorkStopped(record: History, loop: string): boolean {
  const asked = requestsOf(under(record, loop), 'callModel').findLast(
    ({request}) => request.purpose === 'act',
  );
  return asked?.request.toolChoice === 'none';
}

function lastChange(calls: readonly MadeCall[]): MadeCall | undefined {
  return calls.findLast(isChange);
}

function isChange({name}: MadeCall): boolean {
  return name !== 'read_file' && name !== 'unknown_tool';
}

/** Undefined when the loop did not end with an answer. */
function callsBeforeAnswer(record: History, loop: string): MadeCall[] | undefined {
  const [last, ...earlier] = settlementsOf(record, 'callModel')
    .filter(({request}) => request.purpose === 'act')
    .toReversed();
  if (!last || kindOf(last.outcome) !== 'ok' || listIn(last.outcome, 'calls').length > 0)
    return undefined;
  if (last.request.toolChoice === 'none') return undefined;
  return callsOf(
    earlier.toReversed().map(({outcome}) => outcome),
    loop,
  );
}

export interface MadeCall {
  readonly name: string;
  readonly path: string;
  readonly call: unknown;
}

/** The calls that a model made, with the paths of the actors that carry them out: by turn, then by place. */
export function callsOf(replies: readonly object[], loop: string): MadeCall[] {
  const turns = replies.filter((reply) => listIn(reply, 'calls').length > 0);
  return turns.flatMap((reply, turn) =>
    listIn(reply, 'calls').map((call, place) => ({
      name: nameOf(call),
      path: `${loop}/call:${turn + 1}.${place}`,
      call,
    })),
  );
}

function nameOf(call: unknown): string {
  return typeof call === 'object' && call !== null && 'name' in call ? String(call.name) : '';
}

const maxMends = 2;
const maxCompactions = 2;
const maxPausesInARow = 4;
const maxIdenticalCalls = 3;

/** A loop runs only the calls of its model, and takes at most `maxTurns` turns. */
export function workFaults(record: History, path: string, maxTurns: number): string[] {
  const own = under(record, path);
  const replies = repliesOf(own, path);
  const calls = callsOf(replies, path);
  const asked = [
    ...requestsOf(own, 'previewTool').map(({request, path: at}) => ({
      request,
      call: above(above(at)),
    })),
    ...requestsOf(own, 'runTool').map(({request, path: at}) => ({request, call: above(at)})),
  ];
  const asking = requestsOf(own, 'callModel').filter((each) => each.path === `${path}/model/model`);
  const reports = asking.filter(({request}) => isReport(request));
  const questions = asking.length - reports.length;
  const again = replies.filter((reply) => listIn(reply, 'calls').length === 0);
  const count = (kind: string) => again.filter((reply) => kindOf(reply) === kind).length;
  const turns = replies.length - again.length;
  return [
    ...asked.flatMap(({request, call}) =>
      strayFaults(
        request,
        calls.find((made) => made.path === call || (call === path && isOf(made, request))),
        call,
      ),
    ),
    ...unless(turns <= maxTurns || isCutForRepeats(replies, []), `${turns} turns`),
    ...unless(reports.length === 0 || turns === maxTurns, 'it reports before its last turn'),
    ...unless(
      reports.length === 0 || requestsOf(afterLimit(own), 'runTool').length === 0,
      'a tool runs after the last turn',
    ),
    ...unless(questions <= 1 + turns + again.length, 'it asks again before a reply'),
    ...unless(truncatedInARow(replies) <= maxMends + 1, 'repaired too often'),
    ...unless(count('contextOverflow') <= maxCompactions + 1, 'compacted too often'),
    ...unless(
      longestRow(repliesOf(sinceResume(own), path), isPassing) <= maxPausesInARow + 1,
      'retried too often',
    ),
  ];
}

/** The most truncated replies without a usable one between them. */
function truncatedInARow(replies: ReturnType<typeof repliesOf>): number {
  let [most, count] = [0, 0];
  for (const reply of replies) {
    if (listIn(reply, 'calls').length > 0) count = 0;
    else if (kindOf(reply) === 'truncated') count += 1;
    most = Math.max(most, count);
  }
  return most;
}

/** The replies of the loop's own model in its turns, in order. */
function repliesOf(record: History, path: string): object[] {
  return settlementsOf(record, 'callModel').flatMap((each) =>
    each.path === `${path}/model/model` && !isReport(each.request) ? [each.outcome] : [],
  );
}

/** True for the request to report, when no turn is left. */
export function isReport(request: object): boolean {
  return valueIn(request, 'toolChoice') === 'none';
}

function afterLimit(record: History): History {
  const at = record.findIndex(
    (each) => each.type === 'requested' && each.port === 'callModel' && isReport(each.request),
  );
  return record.slice(at);
}

/** For the review of a turn, which previews several calls. */
function isOf(
  {name, call}: MadeCall,
  {tool, args}: {readonly tool: string; readonly args: object},
): boolean {
  return name === tool && canonicalJson(valueIn(call, 'args')) === canonicalJson(args);
}

function strayFaults(
  request: {readonly tool: string; readonly args: object},
  made: MadeCall | undefined,
  path: string,
): string[] {
  const given = valueIn(made?.call, 'args');
  const same = canonicalJson({...request.args, checked: undefined}) === canonicalJson(given);
  return [
    ...unless(made?.name === request.tool && same, `${path} asks for a call that no model made`),
    ...unless(valueIn(made?.call, 'problem') === undefined, `${path} makes a malformed call`),
  ];
}

/** True when the latest reply has the third identical call in a row, or the fourth after a step that was rejected. */
function isCutForRepeats(replies: readonly object[], steps: readonly unknown[]): boolean {
  const texts = replies.flatMap((reply) =>
    listIn(reply, 'calls').map((call) =>
      canonicalJson([valueIn(call, 'name'), valueIn(call, 'args')]),
    ),
  );
  const inLast = listIn(replies.at(-1), 'calls').length;
  const isRejected = valueIn(steps[texts.length - inLast - 1], 'status') === 'rejected';
  const most = maxIdenticalCalls + (isRejected ? 1 : 0);
  const rowTo = (at: number) => texts.slice(Math.max(0, at + 1 - most), at + 1);
  const isLast = (at: number) => at >= texts.length - inLast && at >= most - 1;
  return texts.some((text, at) => isLast(at) && rowTo(at).every((each) => each === text));
}

/** The faults of a loop, its calls and its result. */
export function turnLoopFaults(played: Played, input: TurnLoopInput): string[] {
  const record = played.log;
  return [
    ...unapprovedCalls(played, {tools: input.tools, panel: input.panel.seats}),
    ...repeatedCalls(played),
    ...workFaults(record, 'subject', input.maxTurns),
    ...companyFaults(played, input),
    ...requestsOf(record, 'runTool').flatMap(({request}) =>
      unless(input.offered.includes(request.tool), `${request.tool} runs and was not offered`),
    ),
    ...(played.status() === 'done' ? endFaults(played, input) : []),
  ];
}

/** No other call of its loop runs at the same time as a high-risk call. */
function companyFaults(played: Played, {tools}: TurnLoopInput): string[] {
  const atWork = new Set(
    played.open().flatMap((open) => /^subject\/(call:[\d.]+)/.exec(open)?.slice(1) ?? []),
  );
  const calls = callsOf(repliesOf(played.log, 'subject'), 'subject');
  const risky = calls.filter(
    ({name, path}) =>
      atWork.has(path.replace('subject/', '')) &&
      tools.some((tool) => tool.name === name && tool.risk === 'high'),
  );
  return unless(
    risky.length === 0 || atWork.size === 1,
    `${[...atWork].join(' and ')} run at once`,
  );
}

function endFaults(played: Played, input: TurnLoopInput): string[] {
  const record = played.log;
  const output = outputOf(played);
  const replies = repliesOf(record, 'subject');
  const steps = listIn(output, 'steps');
  const isCut = isCutForRepeats(replies, steps);
  const made = callsOf(isCut ? replies.slice(0, -1) : replies, 'subject');
  const truth = made.map(({path}) => isCallDone(record, path));
  const reported = steps.map((step) => valueIn(step, 'status') === 'succeeded');
  const done = truth.filter(Boolean).length;
  return [
    ...unless(
      canonicalJson(reported) === canonicalJson(truth),
      'the steps differ from the outcomes of the calls',
    ),
    ...unless(
      listIn(output, 'evidence').filter((entry) => valueIn(entry, 'ok') === true).length === done,
      'other evidence than calls that succeeded',
    ),
    ...kindFaults(played, input, isCut),
  ];
}

function kindFaults(played: Played, input: TurnLoopInput, isCut: boolean): string[] {
  const output = outputOf(played);
  const kind = String(valueIn(output, 'kind'));
  const {outcome: reply, isReply, isAnswer, isFailure} = endOf(played.log);
  const others = isFailure ? ['failed'] : ['exhausted', 'degraded'];
  const expected = isAnswer ? ['answered'] : others;
  const text = isReply ? valueIn(reply, 'text') : undefined;
  const isSaid = text === undefined || valueIn(output, 'answer') === text;
  return [
    ...unless(expected.includes(kind), `the output is ${kind}`),
    ...unless(isSaid, 'the answer is not that of the model'),
    ...unless(kind !== 'degraded' || input.isDegradable, 'it degrades and may not'),
    ...unless(isRightlyStopped(played, input, isCut), 'it is stopped without reason'),
  ];
}

/** How the loop ended by its last reply: with an answer, or with a failure. A report is neither. */
function endOf(record: History) {
  const {outcome, request} = lastReply(record) ?? {};
  const isLast = request !== undefined && isReport(request);
  const isAnswer = !isLast && kindOf(outcome) === 'ok' && listIn(outcome, 'calls').length === 0;
  const isFailure = !isLast && outcome !== undefined && kindOf(outcome) !== 'ok';
  return {outcome, isReply: isLast || isAnswer, isAnswer, isFailure};
}

const words: ReadonlySet<string> = new Set(['subject/model/model', 'subject/resume']);

/** The outcome of the model's call, or of the wait for a resume, when nothing happened after it. */
function lastReply(record: History): Pick<Settled<PortName>, 'outcome' | 'request'> | undefined {
  const last = record.findLast(({type}) => type === 'settled' || type === 'fired');
  return last?.type === 'settled' && words.has(last.path) ? last : undefined;
}

function isRightlyStopped(
  played: Played,
  {maxTurns, timeLimitMs}: TurnLoopInput,
  isCut: boolean,
): boolean {
  const record = played.log;
  const stopped = valueIn(outputOf(played), 'stopped');
  if (stopped === 'repeated_call') return isCut;
  if (stopped === 'time_limit') {
    // In these scenarios every effect takes a millisecond.
    const spentMs = record.filter(({type}) => type === 'settled').length;
    const isFired = record.some(
      (each) => each.type === 'fired' && each.timer.includes('time.over'),
    );
    return isFired || spentMs >= (timeLimitMs ?? Infinity);
  }
  const turns = repliesOf(record, 'subject').filter((each) => listIn(each, 'calls').length > 0);
  return stopped !== 'max_turns' || turns.length >= maxTurns;
}
