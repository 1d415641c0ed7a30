/** The result of a run as text. */

import {formTraits, type InteractionForm} from '../../../machines/domain/interaction-form.ts';
import type {Language} from '../../../machines/domain/language.ts';
import type {Change} from '../../../machines/domain/patch.ts';
import type {CallFact, RunResult, TaskResult} from '../../../machines/domain/result.ts';
import type {ReviewRound} from '../../../machines/domain/review.ts';
import {callSummary} from '../../../machines/domain/tool-facts.ts';
import type {Source} from '../../../machines/domain/tool.ts';
import {t} from '../../../machines/message.ts';
import {isInJapanese} from '../../../machines/questionnaire/answers.ts';
import {say} from '../../language.ts';
import {changeDiff, changeText, confinementText, printedLines} from '../live/calls.ts';
import {belowLines} from '../live/interactions.ts';
import {answersLines} from '../live/interview.ts';
import {usageSegments} from '../numbers.ts';
import {wholeTaskLines} from '../plan.ts';
import {questionLines} from '../question.ts';
import {type PageView, section} from '../style.ts';
import {maxLine, oneLine, proseRows, segmentRows, wrapWords} from '../text.ts';
import {
  checkLines,
  isClosed,
  isOneCommand,
  objectionLines,
  soleOutput,
  withoutChecks,
} from './closing.ts';
import {discussionLines} from './discussion.ts';
import {answerText, flatText, headLines, statusWord} from './result-head.ts';
import {titles} from './result-titles.ts';
import {commentLines, decisionLines, deniedLines, voteLines} from './votes.ts';
import {answerLines, continueLines} from './waiting.ts';

export interface ResultView extends PageView {
  /** Votes, actions and questions were shown by the progress on the same screen: they are not repeated. */
  readonly isBrief?: boolean;
  /** The answer was streamed. */
  readonly isStreamed?: boolean;
  /** The rows of an answer, where Markdown is rendered. Absent: those of its text. */
  readonly prose?: (text: string, width: number) => readonly string[];
  /** Every write of the run, in order: their diffs are shown with the changed files. Absent: no diffs. */
  readonly writes?: readonly Change[];
  /** Everything: also the reasons of approvals, and texts in full. */
  readonly isWhole?: boolean;
  /** Commands to go on with, such as those that show the run, and take its changes back. */
  readonly hints?: readonly string[];
}

type Writer = (result: RunResult, view: ResultView) => string[];

const writers: Readonly<Record<InteractionForm, Writer>> = {
  agent: reportLines,
  ask: askLines,
  discuss: discussLines,
  interview: filledLines,
  review: reviewLines,
  command: reportLines,
};

/** An answer alone, with its sources, for a reader that pipes it on. */
export function resultLines(result: RunResult, view: ResultView): string[] {
  return writers[result.form](result, view);
}

/** True when the result of a form is a document, not a report of a run. */
export function isDocument({form}: Pick<RunResult, 'form'>): boolean {
  return formTraits[form].endsWithDocument === true;
}

/** False for a run that waits, was suspended, or could not run: readers of stdout expect an answer. */
export function hasResult({status}: Pick<RunResult, 'status'>): boolean {
  return status !== 'waiting' && status !== 'error';
}

/** Every comment is shown, even when the progress has shown the votes. */
function reviewLines(result: RunResult, view: ResultView): string[] {
  const {review} = result;
  if (!review) return reportLines(result, view);
  return [
    ...headLines(result, view),
    ...waitingFor(result, view),
    ...commentLines(review, view.style, view.width),
    ...(view.isBrief === true ? [] : recordLines(result, view)),
    '',
    ...footerLines(result, view),
  ];
}

function askLines(result: RunResult, view: ResultView): string[] {
  const {status, answer, sources = []} = result;
  return [
    ...(status === 'completed' ? [] : [...headLines(result, view), ...waitingFor(result, view)]),
    ...(answer === undefined || view.isStreamed === true
      ? []
      : (view.prose ?? proseRows)(answer, view.width)),
    ...(result.degraded && status !== 'failed'
      ? [
          '',
          view.style.dim(
            say(t`Claims that the record contradicts were removed from the answer.`, result),
          ),
        ]
      : []),
    ...section(
      say(titles.sources, result),
      sources.flatMap((source) => wrapWords(sourceLine(source, answer ?? ''), view.width - 2)),
      view.style,
    ),
  ];
}

/** A document; its cost is in the progress below, if that is on the same screen. */
function discussLines(result: RunResult, view: ResultView): string[] {
  const {status, discussion, interaction} = result;
  const isConcluded = status === 'completed' && discussion !== undefined;
  const [first = '', ...rest] = [
    ...(isConcluded ? [] : [...headLines(result, view), ...waitingFor(result, view)]),
    // Parts that an open question shows are not repeated.
    ...(discussion && !result.waiting
      ? discussionLines(discussion, {...view, language: result.language})
      : []),
    ...(isConcluded && discussion.answers.length > 0 && view.isWhole !== true
      ? [
          '',
          view.style.dim(
            `${say(t`Every answer in full`, result)}: quorate show ${oneLine(interaction)}`,
          ),
        ]
      : []),
  ];
  return first === '' ? rest : [first, ...rest];
}

/** The answers; for a form that is not submitted, its state. */
function filledLines(given: RunResult, view: ResultView): string[] {
  const {status, answers} = given;
  const result = answers && isInJapanese(answers) ? inJapanese(given) : given;
  const [first = '', ...rest] = [
    ...(status === 'completed' ? [] : [...headLines(result, view), ...waitingFor(result, view)]),
    ...(answers ? ['', ...answersLines(answers, view)] : []),
  ];
  return first === '' ? rest : [first, ...rest];
}

/** For a waiting interview, the head names the question; for a suspended one, nothing. */
function inJapanese(result: RunResult): RunResult {
  const {status, asked = [], error} = result;
  if (status !== 'waiting' || error) return {...result, language: 'ja'};
  const questions = asked.map(({question, message}) => question ?? message);
  return {...result, language: 'ja', summary: questions.join('、')};
}

/** Parts that the answer quotes are not quoted again. */
function sourceLine({place, quote = ''}: Source, answer: string): string {
  const isQuoted = flatText(answer).includes(flatText(quote));
  return oneLine(isQuoted ? place : `${place}: “${quote.trim()}”`, maxLine);
}

/** Of a task that did its work, the answer, what was changed, checked and not done, and objections; of others, also the record. */
function reportLines(result: RunResult, view: ResultView): string[] {
  const {style, isWhole = false} = view;
  const isDone = isClosed(result) && !isWhole;
  // The command and its output are the summary. The person who typed it needs no line on their own decision.
  const isCommand = formTraits[result.form].input === 'command';
  const decisions = isCommand && !isWhole ? [] : decisionLines(result, view);
  return [
    ...headLines(result, view),
    ...waitingFor(result, view),
    ...(isDone ? doneLines(result, view) : []),
    ...section(say(titles.answer, result), lastingAnswer(result, view), style),
    ...section(say(titles.inDoubt, result), doubtLines(result), style),
    ...section(say(titles.unread, result), unreadLines(result, view), style),
    ...section(say(titles.changes, result), changeLines(result, view), style),
    ...section(say(titles.checks, result), isDone ? checkLines(result, view) : [], style),
    ...section(say(titles.others, result), decisions, style),
    ...(view.isBrief === true || isCommand ? [] : recordLines(result, view)),
    '',
    ...footerLines(result, view),
    ...(isDone ? hintLines(view) : []),
  ];
}

function hintLines({hints = [], width, style}: ResultView): readonly string[] {
  return hints.flatMap((hint) => proseRows(hint, width)).map(style.dim);
}

function doneLines(result: RunResult, view: ResultView): readonly string[] {
  const objections = objectionLines(result, view);
  return [...soleOutput(result, view), ...(objections.length === 0 ? [] : ['', ...objections])];
}

/** The answer of a run that did not complete; the head says why. */
function lastingAnswer(result: RunResult, {width}: ResultView): string[] {
  const answer = result.status === 'completed' ? '' : withoutChecks(answerText(result), result);
  return answer === '' ? [] : proseRows(answer, width - 2);
}

function unreadLines({unheard: unread = []}: RunResult, {width}: ResultView): string[] {
  return unread.flatMap((text) => proseRows(text, width - 2));
}

export function doubtLines({inDoubt = []}: RunResult): string[] {
  return inDoubt.map((what) => oneLine(what, maxLine));
}

/** The open question and its commands; or the ways to continue a run that has not ended. */
function waitingFor(result: RunResult, view: ResultView): string[] {
  const {waiting, interaction, status, resumable} = result;
  if (!waiting)
    return status === 'waiting' || (status === 'error' && resumable === true)
      ? continueLines(result, {isHeaded: true, language: view.style.language})
      : [];
  return [
    '',
    ...(view.isBrief === true ? [] : [...questionLines(waiting.question, view), '']),
    ...answerLines(interaction, waiting, {width: view.width, language: view.style.language}),
  ];
}

/** Of a run whose result is its plan, the tasks as planned; where everything is shown, the caller shows the plan. */
function shownTasks(
  tasks: readonly TaskResult[],
  {status, plan, waiting, evaluations, language}: Omit<RunResult, 'tasks'>,
  {style, width, isWhole}: Required<Pick<ResultView, 'style' | 'width' | 'isWhole'>>,
): string[] {
  const isPlanOnly =
    status === 'completed' && tasks.length > 0 && tasks.every((task) => task.status === 'pending');
  if (isPlanOnly && plan) return isWhole ? [] : wholeTaskLines(plan, width - 2, style);
  const begun = waiting?.plan ? tasks.filter((task) => task.status !== 'pending') : tasks;
  const isHeaded = listsProblems({status, ...(evaluations ? {evaluations} : {})});
  return begun.flatMap((task) => taskLines(task, {style, width, isWhole, isHeaded, language}));
}

/** Of a task that did its work, what was not done. Leaves out the plan and votes of an open question, and with `isWhole` the tree of interactions, which the caller shows. */
export function recordLines(
  {tasks = [], denied = [], reviews = [], interactions = [], ...result}: RunResult,
  {style, width, isWhole = false}: ResultView,
): string[] {
  const isDone = !isWhole && isClosed(result);
  const {waiting, review, language} = result;
  return [
    ...section(
      say(titles.tasks, result),
      shownTasks(isDone ? tasks.filter(({status}) => status !== 'succeeded') : tasks, result, {
        style,
        width,
        isWhole,
      }),
      style,
    ),
    ...(isWhole
      ? []
      : section(
          say(titles.interactions, result),
          belowLines(interactions, {style, width: width - 2}),
          style,
        )),
    ...section(
      say(titles.denied, result),
      denied.flatMap((one) => deniedLines(one, width - 2)),
      style,
    ),
    ...section(
      say(titles.votes, result),
      voteLines(isDone ? [] : unshownRounds(reviews, waiting), {
        style,
        width,
        all: isWhole,
        whole: isWhole,
        isCommented: review !== undefined,
        language,
      }),
      style,
    ),
  ];
}

/** An action has the last rejections of the run, not all of them. */
function unshownRounds<Round extends ReviewRound>(
  reviews: readonly Round[],
  waiting: RunResult['waiting'],
): readonly Round[] {
  if (waiting?.question.kind === 'action') return reviews;
  return reviews.filter((round) => !isAmong(round, waiting?.votes));
}

function isAmong({proposalHash, round}: ReviewRound, votes: readonly ReviewRound[] = []): boolean {
  return votes.some((one) => one.proposalHash === proposalHash && one.round === round);
}

/** The run's ID, its cost, and with `isWhole` the confinement of its commands. */
export function footerLines(
  {interaction, usage, aborted, language, tasks = []}: RunResult,
  {style, width, isWhole = false}: Pick<ResultView, 'style' | 'width' | 'isWhole'>,
): string[] {
  const isBrokenOff = usage.modelCalls === 0 && aborted !== undefined;
  const took = isBrokenOff
    ? [say(t`no model has answered`, {language})]
    : usageSegments(usage, {language});
  const confined = isWhole ? confinementsIn(tasks, language) : '';
  const segments = confined === '' ? took : [...took, say(t`commands: ${confined}`, {language})];
  return segmentRows([oneLine(interaction), ...segments], width).map(style.dim);
}

/** `bubblewrap`, or `landlock, unconfined` for a run that was continued elsewhere. */
function confinementsIn(tasks: readonly TaskResult[], language?: Language): string {
  const calls = tasks.flatMap((task) => task.calls ?? []);
  const found = calls.flatMap(({confinement}) => confinement ?? []);
  return [...new Set(found)].map((one) => confinementText(one, {language})).join(', ');
}

/**
 * `notes.md +3 −1`, with the diff from its text before the run, or, where that is not known, the diffs of its writes; for a run without
 * counted lines, the files alone.
 */
function changeLines(
  {changes, tasks = []}: RunResult,
  {writes = [], style, width}: ResultView,
): string[] {
  if (!changes) {
    return [...new Set(tasks.flatMap(({written}) => written))].map((path) => oneLine(path));
  }
  const changed = new Set(changes.map(({path}) => path));
  const restored = new Set(writes.map(({path}) => path)).difference(changed);
  const files = [...changes, ...[...restored].map((path) => ({path, added: 0, removed: 0}))];
  return files.flatMap((file) => {
    const own = writes.filter(({path}) => path === file.path);
    const [net] = own.at(-1)?.net ?? [];
    const diffs = (net ? [net] : own).flatMap(({diff}) =>
      changeDiff({diff}, {style, width: width - 2}),
    );
    return [changeText(file)].concat(diffs);
  });
}

// The tasks of a run in its result: how each ended, the reports on them, and their calls.

interface TaskView extends Required<Pick<ResultView, 'style' | 'width' | 'isWhole'>> {
  /** The head of the result lists why open tasks did not succeed. */
  readonly isHeaded: boolean;
  /** Of the request. */
  readonly language: Language | undefined;
}

/** The evaluator's problems, which the summary of a failed run lists, begin with the tasks that no later plan redoes or drops. */
function listsProblems({status, evaluations}: Pick<RunResult, 'status' | 'evaluations'>): boolean {
  return status === 'failed' && (evaluations?.at(-1)?.problems.length ?? 0) > 0;
}

function taskLines(task: TaskResult, view: TaskView): string[] {
  const {style, isHeaded} = view;
  const {status, failure, redoneBy, dropped} = task;
  const head = `${oneLine(task.id, 60)} ${oneLine(task.description, maxLine)}`;
  if (status === 'succeeded') return [`${style.green('✓')} ${head}`, ...workLines(task, view)];
  if (status !== 'failed' && status !== 'stopped')
    return [`${style.dim('–')} ${head}: ${statusWord(status, view)}`];
  const isOpen = redoneBy === undefined && dropped === undefined;
  const {message = statusWord(status, view)} = failure ?? {};
  const why = isHeaded && isOpen ? '' : `: ${oneLine(message, maxLine)}`;
  return [`${style.red('✗')} ${head}${why}${sequelText(task, view)}`, ...workLines(task, view)];
}

/** The output of a task that is one command; else its report, and the calls that show how it ended. */
function workLines(task: TaskResult, view: TaskView): readonly string[] {
  const {status, output, failure} = task;
  const calls = shownCalls(task, view).flatMap((call) => callLines(call, view));
  if (isOneCommand(task))
    return view.isWhole ? calls : printedLines(withoutStart(output, failure?.message), view);
  const isReport = (view.isWhole || status !== 'succeeded') && output !== failure?.message;
  return [...(isReport ? printedLines(output, view) : []), ...calls];
}

/** All commands in a whole view, and the last call that failed, unless its text is the reason of the failure. */
function shownCalls(
  {status, failure, calls = []}: TaskResult,
  {isWhole}: TaskView,
): readonly CallFact[] {
  const failed = calls.findLast((call) => call.status === 'failed');
  const isCause = (call: CallFact): boolean =>
    status === 'failed' && call === failed && call.text !== failure?.message;
  return calls.filter((call) => isCause(call) || (isWhole && call.exitCode !== undefined));
}

function callLines({tool, args, exitCode, text}: CallFact, view: TaskView): readonly string[] {
  const end = view.isWhole && exitCode !== undefined ? ` · ${say(t`exit ${exitCode}`, view)}` : '';
  return [
    view.style.dim(`    ${oneLine(callSummary(tool, args) + end, view.width - 6)}`),
    ...printedLines(text, {...view, isWhole: false}),
  ];
}

/** How a later plan treats a failed task: redone or dropped. */
function sequelText({redoneBy, dropped}: TaskResult, view: TaskView): string {
  const words =
    redoneBy === undefined
      ? dropped && say(t`given up: ${dropped}`, view)
      : say(t`redone by task ${redoneBy}`, view);
  return words === undefined ? '' : view.style.dim(` (${oneLine(words, maxLine)})`);
}

/** The output of a failed command without the reason that precedes it in the same text. */
function withoutStart(text: string, start = ''): string {
  return text.startsWith(start) ? text.slice(start.length).replace(/^\n/, '') : text;
}
