/** The state of an ask. */

import type {AnyActorRef} from 'xstate';

import type {Failure} from '../../domain/failure.ts';
import {languagePart} from '../../domain/language.ts';
import type {ModelOutcome} from '../../domain/model.ts';
import type {FinalStatus, FormOutput, FormParts, StoppedReason} from '../../domain/result.ts';
import type {GuardrailResult} from '../../domain/settings.ts';
import type {LoopStep, Source, ToolInfo} from '../../domain/tool.ts';
import {stepsIn} from '../../facts/fact.ts';
import {factsUnder} from '../../facts/record.ts';
import {failureOf, type StopReason, type TurnLoopOutput} from '../../loop/turn.ts';
import {briefLine, type SharedPart, stepsShared} from '../../prompts/inherited.ts';
import {attachedText, type Attachment, type Survey} from '../../prompts/sections.ts';
import type {FormInput, FormNow} from '../../tree/form-event.ts';

export type AskInput = Pick<
  FormInput<
    | 'agent'
    | 'ask'
    | 'guardrails'
    | 'context'
    | 'tools'
    | 'panel'
    | 'quorum'
    | 'maxOutputTokens'
    | 'allow'
  >,
  'request' | 'workspace' | 'settings' | 'asked' | 'attachments' | 'contextFiles' | 'inherited'
>;

export interface AskState extends AskInput {
  readonly attachments: readonly Attachment[];
  /** The listing and the facts of the machine. */
  readonly survey?: Survey;
  readonly steps: readonly LoopStep[];
  readonly answer: string;
  /** Contradicted claims were removed from the answer. */
  readonly isCut: boolean;
  /** The reason why the loop ended without an answer. */
  readonly stopped?: StopReason;
  /** The guardrail that blocked the question or the answer. */
  readonly blockedBy?: GuardrailResult;
  readonly failure?: Failure;
}

export function openAsk(input: AskInput): AskState {
  const {request, workspace, settings, attachments = [], contextFiles, inherited, asked} = input;
  return {
    request,
    workspace,
    settings,
    attachments,
    ...(contextFiles ? {contextFiles} : {}),
    ...(inherited === undefined ? {} : {inherited}),
    ...(asked === undefined ? {} : {asked}),
    steps: [],
    answer: '',
    isCut: false,
  };
}

/** The tool of the last failed step. */
export function failedTool(steps: readonly LoopStep[]): string {
  return steps.findLast(({status}) => status === 'failed')?.tool ?? 'A tool';
}

export function withLoop({steps, answer, stopped, failure}: TurnLoopOutput): Partial<AskState> {
  return {
    steps,
    answer: answer.trim(),
    ...(stopped ? {stopped} : {}),
    ...(failure ? {failure} : {}),
  };
}

/** If a tool failed, the answer itself says so, because a reader may see only the answer. */
export function withDirectAnswer(state: AskState, outcome: ModelOutcome): Partial<AskState> {
  const answer = directAnswer(outcome);
  if (answer === '') return {failure: directFailure(outcome)};
  if (state.stopped !== 'tool_failure') return {answer};
  const tool = failedTool(state.steps);
  return {answer: `(${tool} failed, so this answer was given without it.)\n\n${answer}`};
}

function directAnswer(outcome: ModelOutcome): string {
  return outcome.kind === 'ok' ? outcome.text.trim() : '';
}

function directFailure(outcome: ModelOutcome): Failure {
  if (outcome.kind !== 'ok') return failureOf(outcome);
  return {code: 'no_answer', message: 'The model gave no answer.'};
}

// The output of an ask, from its state and the recorded steps.

interface End {
  readonly context: AskState;
  readonly self: AnyActorRef;
}

/** The output of a final state. `stoppedReason` is absent if the ask was cancelled or failed with an error. */
export function ending(
  status: FinalStatus,
  stoppedReason?: StoppedReason,
): (end: End) => FormOutput {
  return ({context, self}) => {
    const {blockedBy, failure, request} = context;
    if (status === 'completed' && foundNothingInPart(context))
      return {
        ...ending('failed', 'tool_failure_degraded')({context, self}),
        summary: notSearched,
        degraded: true,
      };
    return {
      status,
      ...languagePart(request),
      summary: stoppedReason ? ends[stoppedReason](context) : unansweredText(context, status),
      ...(stoppedReason ? answerOf(context) : {}),
      ...stepsTaken(stepsIn(factsUnder(self))),
      ...(stoppedReason ? {stoppedReason} : {}),
      ...(blockedBy ? {guardrail: blockedBy} : {}),
      ...(failure && status === 'error' ? {error: failure} : {}),
    };
  };
}

const notSearched =
  'Answered without a source: over half of the files were not searched. Name a folder to search in.';

/** True if the answer has no source and a search missed most of the files. */
function foundNothingInPart({answer, steps, settings}: AskState): boolean {
  const hasMissed = steps.some(({missedMost}) => missedMost === true);
  return hasMissed && sourcesOf(answer, steps, settings.tools).length === 0;
}

/** The output after a limit: its `stoppedReason` names the limit. */
export function endingShort(end: End): FormOutput {
  const {stopped = 'invalid_calls'} = end.context;
  return ending('limited', limits[stopped])(end);
}

const limits: Readonly<Record<StopReason, StoppedReason>> = {
  max_turns: 'max_steps_reached',
  repeated_call: 'repeated_call',
  tool_failure: 'tool_failure_degraded',
  invalid_calls: 'limit_reached',
  time_limit: 'limit_reached',
};

/** The partial result of an active ask. */
export function askPartialResult({state, facts}: FormNow<AskState>): FormParts {
  return {...languagePart(state.request), ...stepsTaken(stepsIn(facts))};
}

function stepsTaken(steps: readonly LoopStep[]): Pick<FormParts, 'steps' | 'toolCalls'> {
  return {
    steps: steps.map(({thought, tool, args, text}) => ({
      thought,
      action: tool,
      input: args,
      observation: text,
    })),
    toolCalls: steps.length,
  };
}

/** Without a blocked answer. */
function answerOf(state: AskState): Pick<FormOutput, 'answer' | 'sources' | 'degraded'> {
  const {answer, blockedBy, steps, settings, isCut} = state;
  if (answer === '' || blockedBy) return {};
  return {
    answer,
    sources: sourcesOf(answer, steps, settings.tools),
    ...(isCut ? {degraded: true} : {}),
  };
}

function unansweredText({failure}: AskState, status: FinalStatus): string {
  if (status === 'cancelled') return 'Cancelled: a person cancelled.';
  return failure?.message ?? 'The question could not be answered.';
}

const ends: Readonly<Record<StoppedReason, (state: AskState) => string>> = {
  completed: () => 'Answered.',
  blocked: ({blockedBy}) => `Blocked by a guardrail: ${blockedBy?.reason ?? ''}`,
  tool_failure_degraded: ({steps}) => `Answered without ${failedTool(steps)}.`,
  repeated_call: () => 'Stopped: the same call was made three times in a row.',
  max_steps_reached: ({settings}) => `Stopped after ${settings.ask.maxSteps} steps.`,
  limit_reached: () => 'Stopped: too many calls in a row were refused.',
};

// The sources of an answer.

const maxSources = 10;

/**
 * The sources that the answer names, by their place, by a line within them or by their file, and sources without a place in
 * a file: pages, and the queries quoted in the answer, or all queries if it quotes none; in the order of the answer. If there
 * are none of these, the first source of each step, except steps of tools that only list matches. Each source once.
 */
export function sourcesOf(
  answer: string,
  steps: readonly LoopStep[],
  tools: readonly ToolInfo[],
): Source[] {
  const all = withoutProbes(answer, distinct(steps.flatMap(({sources}) => sources ?? [])));
  const named = inAnswerOrder(answer, all);
  if (named.length > 0) return named.slice(0, maxSources);
  const merelyMatches = (tool: string) =>
    tools.some(({name, cites}) => name === tool && cites === false);
  const consulted = steps.flatMap(({tool, sources}) =>
    merelyMatches(tool) ? [] : (sources ?? []).slice(0, 1),
  );
  return distinct(consulted).slice(0, maxSources);
}

const inFile = /^(.+):(\d+)(?:-(\d+))?$/;

/** All sources, but without the other queries if the answer quotes a query. */
function withoutProbes(answer: string, all: readonly Source[]): readonly Source[] {
  const queries = all.filter(isQuery);
  const shown = queries.filter(({quote = ''}) => answer.includes(quote));
  return shown.length === 0 ? all : all.filter((one) => !isQuery(one) || shown.includes(one));
}

function isQuery({place, quote}: Source): boolean {
  return quote !== undefined && !inFile.test(place);
}

/** The named sources, in the order in which the answer names them. */
function inAnswerOrder(answer: string, all: readonly Source[]): Source[] {
  const places = new Set(all.map(({place}) => place));
  return all
    .flatMap((source) => {
      const at = positionIn(answer, source, places);
      return at === undefined ? [] : [{source, at}];
    })
    .toSorted((a, b) => a.at - b.at)
    .map(({source}) => source);
}

/**
 * The offset at which the answer names the source first, or undefined. A line that is a source itself names no other source.
 * A source without a place in a file counts as named at the end.
 */
function positionIn(
  answer: string,
  {place, quote = place}: Source,
  places: ReadonlySet<string>,
): number | undefined {
  const [, path, from, to = from] = inFile.exec(place) ?? [];
  if (path === undefined) {
    const at = answer.indexOf(quote);
    return at < 0 ? answer.length : at;
  }
  const mentions = mentionsOf(answer, path);
  const exact = mentions.filter(({lines}) => lines !== undefined);
  if (exact.length === 0) return mentions[0]?.at;
  const names = ({text, lines}: Mention): boolean =>
    places.has(text)
      ? text === place
      : lines !== undefined && lines.from <= Number(to) && Number(from) <= lines.to;
  return exact.find(names)?.at;
}

/** `text`: the path, with the lines if they are given. */
interface Mention {
  readonly at: number;
  readonly text: string;
  readonly lines?: {readonly from: number; readonly to: number};
}

function mentionsOf(text: string, path: string): Mention[] {
  const mentions: Mention[] = [];
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text.slice(at + path.length, at + path.length + 30);
    if (/[\w./-]/.test(before) || /^(?:[\w-]|[./]\w)/.test(after)) continue;
    const [suffix = '', from, to = from] = /^:(\d+)(?:-(\d+))?/.exec(after) ?? [];
    const lines = from === undefined ? {} : {lines: {from: Number(from), to: Number(to)}};
    mentions.push({at, text: path + suffix, ...lines});
  }
  return mentions;
}

function distinct(sources: readonly Source[]): Source[] {
  return [...new Map(sources.map((each) => [JSON.stringify(each), each])).values()];
}

// The context that an ask shares with its children.

export function askShared({state, facts}: FormNow<AskState>): SharedPart[] {
  const {request, attachments, settings} = state;
  return [
    {title: 'Question', text: request, brief: briefLine(request)},
    {title: 'Attached', text: attachedText(attachments)},
    stepsShared(stepsIn(facts), settings.context.maxEntryBytes),
  ];
}
