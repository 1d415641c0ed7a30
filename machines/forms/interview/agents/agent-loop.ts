/**
 * The model loop of an agent that leads an interview, until the agent asks the person something or ends its work.
 *
 * thinking → acted → (setting) → thinking … → asked / handed / routed / finished
 * stuck when its model makes no progress or fails
 */

import {assign, setup} from 'xstate';
import {z} from 'zod';

import {crashIn, otherwise, when} from '../../../actor-end.ts';
import type {Failure} from '../../../domain/failure.ts';
import type {ModelOutcome, ModelReply} from '../../../domain/model.ts';
import type {Fact} from '../../../facts/fact.ts';
import {report} from '../../../facts/record.ts';
import {failureOf} from '../../../loop/turn.ts';
import {type ModelCallInput, modelCallMachine} from '../../../model-call.ts';
import {readSetting} from '../../../ports.ts';
import {engineLine, listText, stacked} from '../../../prompts/section-text.ts';
import {
  appendMessages,
  type Message,
  replyMessage,
  type ToolCall,
  type Transcript,
} from '../../../prompts/transcript.ts';
import type {Route, SettingReading, SettingToRead} from '../../../questionnaire/answer-reading.ts';
import {type Section, sections} from '../../../questionnaire/answers.ts';
import {isSaid} from '../../../questions/interview.ts';
import {readBy, someText} from '../../../questions/reading.ts';
import {applicable, type Dialogue, fieldOf, settingToRead, withSetting} from '../dialogue.ts';
import {replacementReport, withUnusable} from '../interview-settings.ts';

export interface AgentLoopInput extends Pick<
  AgentTurns,
  'agent' | 'dialogue' | 'transcript' | 'field' | 'canReview'
> {
  /** `provider/model`. */
  readonly model: string;
  readonly system: string;
  readonly maxLoops: number;
  readonly maxOutputTokens: number;
}

export interface AgentLoopOutput {
  /**
   * `asked`: it asks the person; `handed`: it hands the answer to the reviewer; `routed`: the person's reply does not answer
   * the field; `finished`: nothing is left to do; `stuck`: it makes no progress, or failed.
   */
  readonly kind: 'asked' | 'handed' | 'routed' | 'finished' | 'stuck';
  readonly dialogue: Dialogue;
  readonly transcript: Transcript;
  /** The calls of its last turn without a result. The first is the call that it ended with. */
  readonly calls: readonly ToolCall[];
  /** The message to the person; empty unless `asked`. */
  readonly message: string;
  /** The route; `unclear` unless `routed`. */
  readonly route: Route;
}

export interface AgentLoopContext extends AgentTurns {
  readonly input: AgentLoopInput;
  readonly failure?: Failure;
}

const chart = setup({
  types: {} as {context: AgentLoopContext; input: AgentLoopInput; output: AgentLoopOutput},
  actors: {modelCall: modelCallMachine, readSetting},
  actions: {
    takeReply: assign(({context}, outcome: ModelOutcome) =>
      outcome.kind === 'ok' ? replyTaken(context, outcome) : {},
    ),
    takeFailure: assign((_, failure: Failure) => ({failure})),
    takeSetting: assign(({context}, reading: SettingReading) => {
      const step = stepOf(context);
      return step.kind === 'setting' ? settingRead(context, step.section, reading) : {};
    }),
    refuseCall: assign(({context}) => {
      const step = stepOf(context);
      return step.kind === 'refused' ? callAnswered(context, step.problem, true) : {};
    }),
    remind: assign(({context}) => reminded(context)),
    reportThought: report((_, outcome: ModelOutcome) => thoughtReport(outcome)),
    giveUp: assign(({context: {dialogue, input}}) => ({
      dialogue: withUnusable(dialogue, input.model),
    })),
    reportFailure: report(({context: {agent, failure}}) => ({
      type: 'warning',
      message: `the ${agent} failed, so rules ask instead: ${failure?.message ?? ''}`,
    })),
    reportGivenUp: report(({context: {agent, input}}) => replacementReport(agent, input.model)),
  },
  guards: {
    isReply: (_, {kind}: ModelOutcome) => kind === 'ok',
    isAsking: ({context}) => stepOf(context).kind === 'ask',
    isHandingOver: ({context}) => stepOf(context).kind === 'handOver',
    isRouting: ({context}) => stepOf(context).kind === 'route',
    isSetting: ({context}) => stepOf(context).kind === 'setting',
    isRefused: ({context}) => stepOf(context).kind === 'refused',
    isFinished: ({context}) => remaining(context).length === 0,
    isSpent: ({context}) => context.loops >= context.input.maxLoops || leadsNowhere(context),
    isSilent: ({context: {transcript}}) => transcript.messages.at(-1)?.role === 'assistant',
  },
});

const crashing = {
  target: 'stuck',
  actions: [{type: 'takeFailure', params: crashIn}, 'reportFailure'],
} as const;

export const agentLoopMachine = chart.createMachine({
  id: 'agent-loop',
  context: ({input}) => {
    const {agent, dialogue, transcript, field, canReview} = input;
    const turns = {agent, dialogue, transcript, canReview, calls: [], input, ...noTurns};
    return field === undefined ? turns : {...turns, field};
  },
  initial: 'thinking',
  states: {
    thinking: {
      invoke: {
        src: 'modelCall',
        id: 'model',
        input: ({context}) => requestOf(context),
        onDone: [
          when('isReply', 'acted', 'takeReply', 'reportThought'),
          {
            target: 'stuck',
            actions: [
              {type: 'takeFailure', params: ({event}) => failureOf(event.output)},
              'reportFailure',
            ],
          },
        ],
        onError: crashing,
      },
    },
    acted: {
      tags: 'choice',
      always: [
        {guard: 'isAsking', target: 'asked'},
        {guard: 'isHandingOver', target: 'handed'},
        {guard: 'isRouting', target: 'routed'},
        {guard: 'isSetting', target: 'setting'},
        {guard: 'isRefused', target: 'acted', reenter: true, actions: 'refuseCall'},
        {guard: 'isFinished', target: 'finished'},
        {guard: 'isSpent', target: 'stuck', actions: ['giveUp', 'reportGivenUp']},
        {guard: 'isSilent', target: 'thinking', actions: 'remind'},
        {target: 'thinking'},
      ],
    },
    setting: {
      invoke: {
        src: 'readSetting',
        id: 'reading',
        input: ({context}) => settingOf(context),
        onDone: otherwise('acted', 'takeSetting'),
        onError: crashing,
      },
    },
    asked: {type: 'final', output: ({context}) => loopOutput(context, 'asked')},
    handed: {type: 'final', output: ({context}) => loopOutput(context, 'handed')},
    routed: {type: 'final', output: ({context}) => loopOutput(context, 'routed')},
    finished: {type: 'final', output: ({context}) => loopOutput(context, 'finished')},
    stuck: {
      type: 'final',
      output: ({context}) => loopOutput(context, 'stuck'),
    },
  },
  output: ({event}) => event.output as AgentLoopOutput,
});

function requestOf({agent, input, transcript}: AgentLoopContext): ModelCallInput {
  const {model, system, maxOutputTokens} = input;
  return {
    purpose: agent === 'greeter' ? 'greet' : 'interview',
    model,
    system,
    transcript,
    tools: offeredTo(agent),
    toolChoice: 'auto',
    maxOutputTokens,
    waits: true,
  };
}

function thoughtReport(outcome: ModelOutcome): Fact | undefined {
  const isThought = outcome.kind === 'ok' && outcome.text.trim() !== '';
  return isThought ? {type: 'thought', text: outcome.text} : undefined;
}

function settingOf(context: AgentLoopContext): SettingToRead {
  const step = stepOf(context);
  const {section, text} = step.kind === 'setting' ? step : {section: 'language' as const, text: ''};
  return settingToRead(context.dialogue, section, text);
}

function loopOutput(context: AgentLoopContext, kind: AgentLoopOutput['kind']): AgentLoopOutput {
  const {dialogue, transcript, calls} = context;
  const step = stepOf(context);
  return {
    kind,
    dialogue,
    transcript,
    calls,
    message: step.kind === 'ask' ? step.message : '',
    route: step.kind === 'route' ? step.route : {kind: 'unclear'},
  };
}

// The turns of an agent that leads an interview: its pending calls, and the results that it receives.

type LeadingAgent = 'greeter' | 'interviewer';

interface AgentTurns {
  readonly agent: LeadingAgent;
  readonly dialogue: Dialogue;
  readonly transcript: Transcript;
  /** The field that is asked about. */
  readonly field?: string;
  /** True when there is an answer that no reviewer has judged. */
  readonly canReview: boolean;
  /** Calls of the turn without a result. */
  readonly calls: readonly ToolCall[];
  /** Number of replies of the model. */
  readonly loops: number;
  /** Number of the last replies in a row that called no tool. */
  readonly silent: number;
  /** Number of the last replies in a row that set nothing. */
  readonly fruitless: number;
}

export const noTurns = {loops: 0, silent: 0, fruitless: 0} as const;

/** Limits of `silent` and `fruitless`: with either, the model makes no progress. */
const maxSilent = 2;
const maxFruitless = 3;

function leadsNowhere({silent, fruitless}: AgentTurns): boolean {
  return silent >= maxSilent || fruitless >= maxFruitless;
}

function replyTaken(state: AgentTurns, reply: ModelReply): Partial<AgentTurns> {
  const {calls} = reply;
  return {
    transcript: appendMessages(state.transcript, replyMessage(reply)),
    calls,
    loops: state.loops + 1,
    silent: calls.length === 0 ? state.silent + 1 : 0,
    fruitless: state.fruitless + 1,
  };
}

/** Adds the result of the first pending call to the conversation. */
function callAnswered(state: AgentTurns, text: string, isError = false): Partial<AgentTurns> {
  const [call, ...calls] = state.calls;
  if (!call) return {};
  return {calls, transcript: appendMessages(state.transcript, resultOf(call, text, isError))};
}

function settingRead(
  state: AgentTurns,
  section: Section,
  {value, problem = 'it was not understood', choices = []}: SettingReading,
): Partial<AgentTurns> {
  if (value === undefined) {
    const which = choices.length > 0 ? `; it may be one of ${choices.join(', ')}` : '';
    return callAnswered(state, `${problem}${which}`, true);
  }
  const {dialogue, fruitless} = state;
  const isKnown = dialogue.respondent[section] === value;
  return {
    ...callAnswered(state, `The ${section} is ${value}.`),
    dialogue: withSetting(dialogue, section, value),
    fruitless: isKnown ? fruitless : 0,
  };
}

/** Adds the result of the call that the loop ended with: the person's reply, or a review. Other pending calls fail. */
export function withResult(
  transcript: Transcript,
  calls: readonly ToolCall[],
  text: string,
): Transcript {
  const [call, ...others] = calls;
  if (!call) return transcript;
  const left = others.map((each) =>
    resultOf(each, 'Not done: another call of this turn came first.', true),
  );
  return appendMessages(transcript, resultOf(call, text, false), ...left);
}

function resultOf({id, name}: ToolCall, text: string, isError: boolean): Message {
  return {role: 'tool', callId: id, name, text, isError};
}

/** The remaining tasks of an agent, in the words of its reminder. */
function remaining({agent, dialogue, field, canReview}: AgentTurns): string[] {
  if (agent === 'greeter') {
    return sectionsOpen(dialogue).map(
      (section) => `Set the ${names[section]} using set_${section}`,
    );
  }
  const label = field === undefined ? '' : fieldOf(dialogue, field).label;
  return [
    canReview
      ? `Have the answer to "${label}" reviewed using subtask, or ask again using ask`
      : `Ask the respondent about "${label}" using ask`,
  ];
}

const names: Readonly<Record<Section, string>> = {
  language: 'user language',
  country: 'country of residence',
  timezone: 'timezone',
};

/** The settings that are neither known nor assumed. */
export function sectionsOpen({respondent, assumed}: Dialogue): Section[] {
  return sections.filter(
    (section) => respondent[section] === undefined && !assumed.includes(section),
  );
}

/** Adds a reminder of the remaining tasks to the conversation. */
export function reminded(state: AgentTurns): Partial<AgentTurns> {
  const tasks = remaining(state).map((task) => engineLine`${task}`);
  const text = stacked(engineLine`You still need to:`, listText(tasks));
  return {transcript: appendMessages(state.transcript, {role: 'user', text})};
}

// Turns the tool calls of an agent that leads an interview into steps.

/** The step that the first pending call requests. */
type Step =
  | {readonly kind: 'none' | 'handOver'}
  | {readonly kind: 'ask'; readonly message: string}
  | {readonly kind: 'route'; readonly route: Route}
  | {readonly kind: 'setting'; readonly section: Section; readonly text: string}
  | {readonly kind: 'refused'; readonly problem: string};

/** Names of the tools offered to an agent. */
function offeredTo(agent: LeadingAgent): readonly string[] {
  return Object.keys(agent === 'greeter' ? greeterTools : interviewerTools);
}

function stepOf(state: AgentTurns): Step {
  const [call] = state.calls;
  if (!call) return {kind: 'none'};
  const problem = callProblem(state, call);
  if (problem !== undefined) return {kind: 'refused', problem};
  if (call.name === 'ask') return {kind: 'ask', message: textIn(call, 'message')};
  if (call.name === 'subtask') return {kind: 'handOver'};
  const section = sections.find((each) => call.name === `set_${each}`);
  return section
    ? {kind: 'setting', section, text: textIn(call, section)}
    : {kind: 'route', route: routeOf(call)};
}

function callProblem(state: AgentTurns, call: ToolCall): string | undefined {
  const offered = offeredTo(state.agent);
  const schema = offered.includes(call.name) ? agentTools[call.name] : undefined;
  if (!schema) return `there is no tool ${call.name}; there are ${offered.join(', ')}`;
  if (call.problem !== undefined) return call.problem;
  const reading = readBy(schema, call.args);
  if (!reading.ok) return reading.problems.join('\n');
  if (call.name === 'subtask' && !state.canReview) {
    return 'there is no answer to review yet: ask the respondent first';
  }
  return call.name === 'route' ? misrouted(state, call) : undefined;
}

function routeOf(call: ToolCall): Route {
  const kind = textIn(call, 'kind');
  if (kind !== 'correct') return {kind: kind === 'decline' || kind === 'pause' ? kind : 'skip'};
  const [field, text] = [textIn(call, 'field_id'), textIn(call, 'text')];
  return {kind, field, ...(text === '' ? {} : {text})};
}

/** A model can't skip, decline or correct on its own: it must quote the person's last reply, given on this field. */
function misrouted(state: AgentTurns, call: ToolCall): string | undefined {
  const {dialogue, field, canReview} = state;
  const last = dialogue.said.findLast(({from}) => from === 'person')?.text ?? '';
  const [kind, quote] = [textIn(call, 'kind'), textIn(call, 'quote')];
  if (!isSaid(quote, [last])) return `the respondent did not say ${JSON.stringify(quote)}`;
  if (!canReview) return 'the respondent has said nothing on the current field: ask first';
  if (kind === 'correct') return miscorrected(state, call, last);
  return kind === 'skip' && field !== undefined && fieldOf(dialogue, field).required
    ? 'the field is required: it can be declined, but not skipped'
    : undefined;
}

function miscorrected(
  {dialogue, field: current}: AgentTurns,
  call: ToolCall,
  last: string,
): string | undefined {
  const [field, text] = [textIn(call, 'field_id'), textIn(call, 'text')];
  if (field === current) return `${field} is the current field: call subtask, or ask again`;
  const ids = applicable(dialogue).map(({id}) => id);
  if (!ids.includes(field)) return `there is no field ${field}; there are ${ids.join(', ')}`;
  return text === '' || isSaid(text, [last])
    ? undefined
    : `the respondent did not say ${JSON.stringify(text)}`;
}

function textIn({args}: ToolCall, name: string): string {
  const value = args[name];
  return typeof value === 'string' ? value.trim() : '';
}

// The tools with which models lead an interview. Its charts execute them: none has an effect outside the interview.

const ask = z
  .lazy(() =>
    z.object({message: someText.describe('The message to the respondent, in their language')}),
  )
  .describe('Say something to the respondent, and wait for their reply. Ask one thing at a time.');

const setLanguage = z
  .lazy(() =>
    z.object({language: someText.describe('A BCP 47 code, such as en or ja, or its name')}),
  )
  .describe('Set the language that the respondent wants to speak');

const setCountry = z
  .lazy(() => z.object({country: someText.describe('An ISO 3166-1 code, such as JP, or its name')}))
  .describe('Set the country that the respondent lives in');

const setTimezone = z
  .lazy(() =>
    z.object({
      timezone: z
        .string()
        .nullish()
        .describe('An IANA name, such as Asia/Tokyo; left out, it is inferred from the country'),
    }),
  )
  .describe('Set the time zone of the respondent');

const subtask = z
  .lazy(() => z.object({agent: z.enum(['reviewer']).describe('The agent to ask')}))
  .describe('Have the reviewer judge the answer of the respondent to the current field');

const route = z
  .lazy(() =>
    z.object({
      kind: z
        .enum(['skip', 'decline', 'pause', 'correct'])
        .describe(
          'skip: they want to leave the field out; decline: they refuse to answer it; pause: they want to stop for now; correct: an earlier answer is wrong',
        ),
      quote: someText.describe('The words of the respondent that say so, verbatim'),
      field_id: z.string().nullish().describe('For a correction: the id of the field to correct'),
      text: z.string().nullish().describe('For a correction: the right answer, verbatim'),
    }),
  )
  .describe('Report that the reply of the respondent does not answer the current field');

const greeterTools = {
  ask,
  set_language: setLanguage,
  set_country: setCountry,
  set_timezone: setTimezone,
} as const;

const interviewerTools = {ask, subtask, route} as const;

/** All of them, by name. */
export const agentTools: Readonly<Record<string, z.ZodType>> = {
  ...greeterTools,
  ...interviewerTools,
};
