/**
 * The model loop of an agent that leads an interview, until the agent asks the person something or ends its work.
 *
 * thinking → acted → (setting) → thinking … → asked / handed / routed / finished
 * stuck when its model makes no progress or fails
 */

import {assign, setup} from 'xstate';

import {crashIn, otherwise, when} from '../../../actor-end.ts';
import type {Failure} from '../../../domain/failure.ts';
import type {ModelOutcome} from '../../../domain/model.ts';
import type {Fact} from '../../../facts/fact.ts';
import {report} from '../../../facts/record.ts';
import {failureOf} from '../../../loop/turn.ts';
import {type ModelCallInput, modelCallMachine} from '../../../model-call.ts';
import {readSetting} from '../../../ports.ts';
import type {ToolCall, Transcript} from '../../../prompts/transcript.ts';
import type {Route, SettingReading, SettingToRead} from '../../../questionnaire/answer-reading.ts';
import {type Dialogue, settingToRead} from '../dialogue.ts';
import {offeredTo, stepOf} from './agent-call.ts';
import {
  type AgentTurns,
  callAnswered,
  leadsNowhere,
  noTurns,
  remaining,
  reminded,
  replyTaken,
  settingRead,
} from './agent-turn.ts';
import {replacementReport, withUnusable} from './unusable-models.ts';

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
