/**
 * The closing answer: the report of the only worker, or a model answers the request from the results; the `evidence` policy
 * checks the answer.
 *
 * (checkingReport) → written; writing → (checking) → written; unwritten, when there is no usable answer
 */

import {assign, setup} from 'xstate';

import {when} from '../../actor-end.ts';
import {hasClaims} from '../../claims/claims.ts';
import {isJapanese, type Language} from '../../domain/language.ts';
import type {ModelOutcome, ModelRequest} from '../../domain/model.ts';
import {type Change, writtenBeside} from '../../domain/patch.ts';
import {escapePattern} from '../../domain/plain-text.ts';
import type {CallFact, TaskResult} from '../../domain/result.ts';
import {lineOf} from '../../domain/text-limits.ts';
import {textsAt} from '../../domain/tool-facts.ts';
import {modelCallMachine} from '../../model-call.ts';
import {type PortOutcome, screenProposal} from '../../ports.ts';
import {personWords, quotedText, quotingRule} from '../../prompts/section-text.ts';
import {inheritedSection, type Section, writeSections} from '../../prompts/sections.ts';
import {openTranscript} from '../../prompts/transcript.ts';
import {rejectionReasons} from '../../questions/ballot.ts';
import type {Work} from './agent-state.ts';
import {openText, resultsText} from './evaluation/results-text.ts';
import {textCheck} from './evaluation/verdict.ts';
import type {PlanRun} from './execution/open-work.ts';

export interface ClosingInput {
  readonly work: Work;
  /** Messages received during the run. */
  readonly pendingMessages: readonly Section[];
  /** The plans that ran, in order. */
  readonly runs: readonly PlanRun[];
  /** The report of a worker that answers the request. Absent: the model writes the answer. */
  readonly report?: string | undefined;
}

interface ClosingContext extends ClosingInput {
  readonly answer: string;
}

/** The answer is empty if the model gave no usable one. A closing never fails. */
export interface ClosingOutput {
  readonly answer: string;
}

/** After this time the run ends without an answer of the model. */
const deadlineMs = 120_000;

/** In UTF-16 units. A longer answer is not used. */
const maxAnswer = 1_500;

export const closingMachine = setup({
  types: {} as {context: ClosingContext; input: ClosingInput; output: ClosingOutput},
  actors: {screenProposal, modelCall: modelCallMachine},
  actions: {
    takeReport: assign(({context: {report = ''}}) => ({answer: report})),
    takeAnswer: assign((_, outcome: ModelOutcome) => ({answer: answerOf(outcome)})),
  },
  guards: {
    hasReport: ({context: {report = ''}}) => isUsable(report),
    isUsable: (_, outcome: ModelOutcome) => isUsable(answerOf(outcome)),
    isUsableClaim: (_, outcome: ModelOutcome) =>
      isUsable(answerOf(outcome)) && hasClaims(answerOf(outcome)),
    isContradicted: (_, {ballots}: PortOutcome<'screenProposal'>) =>
      rejectionReasons(ballots).length > 0,
  },
  delays: {deadline: deadlineMs},
}).createMachine({
  id: 'closing',
  context: ({input}) => ({...input, answer: ''}),
  initial: 'opened',
  states: {
    opened: {
      tags: 'choice',
      always: [
        {guard: 'hasReport', target: 'checkingReport', actions: 'takeReport'},
        {target: 'writing'},
      ],
    },
    checkingReport: {
      invoke: {
        src: 'screenProposal',
        id: 'claims',
        input: ({context}) => textCheck({...context.work, ...context}, context.answer),
        onDone: [when('isContradicted', 'writing'), {target: 'written'}],
        onError: 'writing',
      },
    },
    writing: {
      invoke: {
        src: 'modelCall',
        id: 'call',
        input: ({context}) => closingRequest(context),
        onDone: [
          when('isUsableClaim', 'checking', 'takeAnswer'),
          when('isUsable', 'written', 'takeAnswer'),
          {target: 'unwritten'},
        ],
        onError: 'unwritten',
      },
      after: {deadline: 'unwritten'},
    },
    checking: {
      invoke: {
        src: 'screenProposal',
        id: 'claims',
        input: ({context}) => textCheck({...context.work, ...context}, context.answer),
        onDone: [when('isContradicted', 'unwritten'), {target: 'written'}],
        onError: 'unwritten',
      },
    },
    written: {type: 'final', output: ({context: {answer}}) => ({answer})},
    unwritten: {type: 'final', output: {answer: ''}},
  },
  output: ({event}) => event.output as ClosingOutput,
});

function answerOf(outcome: ModelOutcome): string {
  return outcome.kind === 'ok' ? outcome.text.trim() : '';
}

function isUsable(answer: string): boolean {
  return answer !== '' && answer.length <= maxAnswer;
}

/** `isWithheld`: the answer is not streamed before it is checked. */
function closingRequest(input: ClosingInput): ModelRequest {
  const {agent, context, maxOutputTokens} = input.work.settings;
  return {
    purpose: 'close',
    model: agent.decisionModel,
    system: closingSystem,
    transcript: openTranscript(
      closingMessage({...input.work, ...input, maxResults: context.maxTotalBytes}),
    ),
    tools: [],
    toolChoice: 'none',
    maxOutputTokens,
    isWithheld: true,
  };
}

// The prompt of the model that answers the request after its tasks have ended.

/** The maximum length of an answer that prompts ask for, in characters. */
export const wantedLength = 900;

const closingSystem = `You answer a request after its tasks have ended. Write plain text for the person who asked, \
in the language of the request, in at most ${wantedLength} characters. Begin with the answer to the request. Then say what was done and \
where, what was found, and what was not done. Use only the results below: the calls below "Done" with their status and \
exit code are known, and the report of a worker is only a claim. Do not say that something was written, run or tested \
unless a call did it. Do not repeat raw output, and do not offer more work.
${quotingRule}`;

interface ClosingBrief {
  readonly request: string;
  /** Context from the parent interaction. */
  readonly inherited?: string | undefined;
  /** Messages received during the run. */
  readonly pendingMessages: readonly Section[];
  readonly runs: readonly PlanRun[];
  /** Limit for all results, in bytes. */
  readonly maxResults: number;
}

export function closingMessage({
  request,
  inherited,
  pendingMessages,
  runs,
  maxResults,
}: ClosingBrief): string {
  return writeSections([
    ['Request', personWords(request)],
    inheritedSection(inherited),
    ...pendingMessages,
    ['Objective', quotedText(runs.at(-1)?.plan.objective)],
    ['Results', resultsText(runs, maxResults)],
    ['Not done', openText(runs)],
  ]);
}

// The closing answer by rule: what was done and found, in the language of the request.

/** Limits in bytes: of one worker's report, and of one command. */
const maxReport = 800;
const maxCommand = 120;

/** Maximum number of files, commands or tasks in a list. */
const maxNamed = 8;

interface Words {
  readonly language: Language;
  readonly changed: (files: string) => string;
  readonly unchanged: string;
  readonly written: (files: string) => string;
  readonly ran: (command: string, code: number, found: string) => string;
  readonly read: (files: string) => string;
  readonly idle: string;
  readonly stopped: string;
  readonly failed: (task: string) => string;
  readonly notDone: (task: string) => string;
  readonly more: (count: number) => string;
  readonly comma: string;
}

const english: Words = {
  language: 'en',
  changed: (files) => `Changed: ${files}.`,
  unchanged: 'No file was changed.',
  written: (files) => `Written: ${files}.`,
  ran: (command, code, found) =>
    `Ran \`${command}\` (exit code ${code})${found === '' ? '.' : `: ${found}`}`,
  read: (files) => `Read: ${files}.`,
  idle: 'Nothing was done: no tool was called.',
  stopped: 'Nothing was done: no call was carried out.',
  failed: (task) => `Failed: ${task}`,
  notDone: (task) => `Not done: ${task}`,
  more: (count) => `and ${count} more`,
  comma: ', ',
};

const japanese: Words = {
  language: 'ja',
  changed: (files) => `変更したファイル: ${files}`,
  unchanged: 'ファイルは変更していません。',
  written: (files) => `書き込んだファイル: ${files}`,
  ran: (command, code, found) =>
    `\`${command}\` を実行しました（終了コード ${code}）${found === '' ? '。' : `: ${found}`}`,
  read: (files) => `読んだファイル: ${files}`,
  idle: '何も実行していません（ツールの呼び出しはありません）。',
  stopped: '何も実行していません（実行された呼び出しはありません）。',
  failed: (task) => `失敗: ${task}`,
  notDone: (task) => `未実施: ${task}`,
  more: (count) => `ほか ${count} 件`,
  comma: '、',
};

interface Closed {
  readonly request: string;
  readonly workspace: string;
  readonly tasks: readonly TaskResult[];
  readonly changes: readonly Change[];
  /** The reports of the workers on the last plan. */
  readonly reports: readonly string[];
}

export function closingByRule(closed: Closed): string {
  const {request, workspace, tasks, changes, reports} = closed;
  const written = tasks.flatMap((task) => task.written);
  const words = wordsFor(request, tasks);
  const calls = tasks
    .flatMap((task) => task.calls ?? [])
    .filter(({status}) => status === 'succeeded' || status === 'failed');
  const open = tasks.filter(
    ({status, redoneBy, dropped}) => status !== 'succeeded' && !redoneBy && !dropped,
  );
  return [
    ...reports.map((report) => lineOf(report, maxReport)),
    ...(calls.length === 0
      ? [words.idle]
      : doneLines(
          calls,
          {
            changes,
            unrecorded: writtenBeside(changes, written, workspace),
            isReported: changes.every((one) => isReported(one, reports)),
          },
          words,
        )),
    ...firstNames(
      open.map(({id, description, status}) =>
        words[status === 'failed' ? 'failed' : 'notDone'](
          lineOf(`${id}: ${description}`, maxCommand),
        ),
      ),
      words,
    ),
  ].join('\n');
}

/** The line that names the changed files. The same changes give the same line, so that a view can recognize it. */
export function changedLine(changes: readonly Change[], language: Language): string {
  const words = language === 'ja' ? japanese : english;
  if (changes.length === 0) return words.unchanged;
  const files = changes.map(({path, added, removed}) => `${path} (+${added} −${removed})`);
  return words.changed(namedIn(files, words));
}

/** The line that names a command without a short output. */
export function ranLine(command: string, code: number, language: Language): string {
  const words = language === 'ja' ? japanese : english;
  return words.ran(lineOf(command, maxCommand), code, '');
}

const deed =
  /\b(?:(?:chang|creat|delet|remov|mov|renam|copi|replac|add|append|updat|edit|fix|insert|bump|correct|modifi)ed|wrote|put|set)\b|ました/i;
const denial = /\b(?:not|no|never|without)\b|n['’]t\b|\bun\w+ed\b|ません|ない/i;

/** True if a sentence of a report says that the file was changed. */
function isReported({path}: Change, reports: readonly string[]): boolean {
  const name = new RegExp(String.raw`(?<![\w./-])${escapePattern(path)}(?![\w/-]|\.\w)`);
  return reports
    .flatMap((report) => lineOf(report, maxReport).split(/(?<=[.!?])\s|(?<=[。！？])/))
    .some((sentence) => name.test(sentence) && deed.test(sentence) && !denial.test(sentence));
}

interface Changed {
  readonly changes: readonly Change[];
  /** Files that a tool has written without a record of the change. */
  readonly unrecorded: readonly string[];
  /** True if the reports mention every change. */
  readonly isReported: boolean;
}

function doneLines(
  calls: readonly CallFact[],
  {changes, unrecorded, isReported: isSaid}: Changed,
  words: Words,
): readonly string[] {
  const commands = calls.flatMap((call) => {
    const {args, exitCode, text} = call;
    const [command = ''] = textsAt(args, ['command']);
    return exitCode === undefined
      ? []
      : [words.ran(lineOf(command, maxCommand), exitCode, foundIn(text))];
  });
  const read = calls.flatMap(({tool, args, status}) =>
    tool === 'read_file' && status === 'succeeded' ? textsAt(args, ['path']) : [],
  );
  const places = [...new Set(read)].filter((path) => !changes.some((each) => each.path === path));
  return [
    ...firstNames([...new Set(commands)], words),
    ...(isSaid && changes.length + unrecorded.length > 0
      ? []
      : [changedLine(changes, words.language)]),
    ...(unrecorded.length === 0 ? [] : [words.written(namedIn(unrecorded, words))]),
    ...(places.length === 0 ? [] : [words.read(namedIn(places, words))]),
  ];
}

/** If calls were made, but none was carried out, the text for "nothing was done" says so. */
function wordsFor(request: string, tasks: readonly TaskResult[]): Words {
  const words = isJapanese(request) ? japanese : english;
  const isTried = tasks.some(({calls = []}) => calls.length > 0);
  return isTried ? {...words, idle: words.stopped} : words;
}

/** The output of a command if it is one short line. A longer output does not belong in an answer. */
function foundIn(output: string): string {
  const text = output.trim();
  return text.length > maxCommand || text.includes('\n') || text === '(no output)' ? '' : text;
}

function namedIn(items: readonly string[], words: Words): string {
  return firstNames(items, words).join(words.comma);
}

function firstNames(items: readonly string[], words: Words): readonly string[] {
  const rest = items.length - maxNamed;
  return rest <= 0 ? items : [...items.slice(0, maxNamed), words.more(rest)];
}
