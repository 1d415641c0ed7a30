/** Laws of turn loops: only offered calls of the model run, in a limited number of turns, and the result is true. */

import {canonicalJson} from '../../machines/domain/digest.ts';
import type {TurnLoopInput} from '../../machines/loop/loop-input.ts';
import type {PortName} from '../../machines/ports.ts';
import type {Played} from '../support/played.ts';
import {repeatedCalls, unapprovedCalls} from './laws-approval.ts';
import {callsOf, isCallDone, type MadeCall} from './laws-done.ts';
import {isPassing, longestRow} from './laws-models.ts';
import {
  above,
  kindOf,
  listIn,
  outputOf,
  type History,
  requestsOf,
  type Settled,
  settlementsOf,
  sinceResume,
  under,
  unless,
  valueIn,
} from './laws-record.ts';

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
