/**
 * One question to one model, answered by exactly one valid call of the question's tool.
 *
 * asking → read → answered; asking.repairing (the model receives the problems); unanswered. A contradictory answer that
 * stays so is answered, too: its reading says how it counts.
 */

import {assign, setup} from 'xstate';

import {onCrash, otherwise} from '../actor-end.ts';
import type {Failure} from '../domain/failure.ts';
import {isOutage, type ModelOutcome, textCall, textCallRepair} from '../domain/model.ts';
import {type ModelCallInput, modelCallMachine} from '../model-call.ts';
import type {Delivered} from '../ports.ts';
import {engineLine, listText} from '../prompts/section-text.ts';
import {writeSections} from '../prompts/sections.ts';
import {appendMessages, type Transcript} from '../prompts/transcript.ts';
import {
  type Answer,
  type AnswerTo,
  type AskedQuestion,
  type QuestionName,
  questions,
  readArguments,
  toolOf,
} from './questions.ts';
import {type AnswerReading, refused} from './reading.ts';

/** Default for `repairs`: how often a model may correct its answer. */
const usualRepairs = 1;

export type QuestionInput = AskedQuestion & {
  /** `provider/model`. */
  readonly model: string;
  readonly system: string;
  /** Tools that the answer may name. */
  readonly describes?: readonly string[];
  /** Arguments that the answer can't have. */
  readonly without?: readonly string[];
  /** The conversation; its last message asks the question. */
  readonly transcript: Transcript;
  readonly maxOutputTokens: number;
  readonly repairs?: number;
  /** The caller stops waiting after this time, in ms. */
  readonly waitMs?: number;
  /** If the model can't be called, it is called again when the run is resumed. Absent: the question ends unanswered. */
  readonly waits?: boolean;
};

/** The part of the output that is common to all ends of a question. */
interface Asking {
  /** Number of requests to the model, repairs included. Retries after a transient fault are not counted. */
  readonly asked: number;
  /** The conversation without the last reply. */
  readonly transcript: Transcript;
  /** Epoch ms of the last reply; 0 without a reply. */
  readonly at: number;
  /** Total duration of all calls, ms. */
  readonly ms: number;
}

export type QuestionOutput = Asking &
  (
    | ({readonly kind: 'answered'} & Answer)
    | {
        readonly kind: 'unanswered';
        /** The reason in a few words, for the record. */
        readonly because: string;
        /** `invalid_answer` when the model replied, but not as asked; otherwise the failure of its call. */
        readonly failure: Failure;
        /** The text of the last reply if it called no tool; otherwise empty. */
        readonly said: string;
      }
  );

export interface QuestionContext {
  readonly input: QuestionInput;
  readonly asking: Asking;
  /** The last outcome. A crash of the call, which is a bug, is stored as an outcome of kind `internal`. */
  readonly outcome: ModelOutcome;
  readonly reading: AnswerReading<Answer>;
}

/** The answer to this question; undefined when the output holds none. */
export function answerIn<Name extends QuestionName>(
  question: Name,
  output: {readonly kind: 'unanswered' | 'said'} | ({readonly kind: 'answered'} & Answer),
): AnswerTo<Name> | undefined {
  const isOne = output.kind === 'answered' && output.question === question;
  return isOne ? (output.value as AnswerTo<Name>) : undefined;
}

/** True when the model could not be called: it may answer later. */
export function isUnserved(output: QuestionOutput): boolean {
  return output.kind === 'unanswered' && isOutage(output.failure.code);
}

/** Why there is no answer. */
export function whyUnanswered(output: QuestionOutput): Failure {
  if (output.kind === 'unanswered') return output.failure;
  return {code: 'internal', message: `the model answered another question: ${output.question}`};
}

const chart = setup({
  types: {} as {context: QuestionContext; input: QuestionInput; output: QuestionOutput},
  actors: {modelCall: modelCallMachine},
  actions: {
    takeReply: assign(({context}, outcome: ModelOutcome & Delivered) => replied(context, outcome)),
    takeCrash: assign((_, {message}: Failure) => ({
      outcome: {kind: 'internal' as const, message},
    })),
    askForRepair: assign(({context}) => ({asking: repaired(context)})),
  },
  guards: {
    isAnswer: ({context}) => context.reading.ok,
    isContradictory: ({context: {reading, outcome}}) =>
      'otherwise' in reading && isRepairable(outcome),
    mayRepair: ({context: {input, asking, outcome}}) =>
      asking.asked <= (input.repairs ?? usualRepairs) && isRepairable(outcome),
  },
});

const calling = (call: 'call' | 'repair') =>
  chart.createStateConfig({
    invoke: {
      src: 'modelCall',
      id: call,
      input: ({context}) => requestOf(context),
      onDone: otherwise('#question.read', 'takeReply'),
      onError: onCrash('#question.unanswered', 'takeCrash'),
    },
  });

export const questionMachine = chart.createMachine({
  id: 'question',
  context: ({input}) => ({
    input,
    asking: {asked: 1, transcript: input.transcript, at: 0, ms: 0},
    outcome: {kind: 'internal', message: 'the model was not asked'},
    reading: {ok: false, problems: []},
  }),
  initial: 'asking',
  states: {
    asking: {
      initial: 'first',
      states: {first: calling('call'), repairing: {entry: 'askForRepair', ...calling('repair')}},
    },
    read: {
      tags: 'choice',
      always: [
        {guard: 'isAnswer', target: 'answered'},
        {guard: 'mayRepair', target: 'asking.repairing'},
        {guard: 'isContradictory', target: 'answered'},
        {target: 'unanswered'},
      ],
    },
    answered: {type: 'final', output: ({context}) => answered(context)},
    unanswered: {type: 'final', output: ({context}) => unanswered(context)},
  },
  output: ({event}) => event.output as QuestionOutput,
});

function requestOf({input, asking}: QuestionContext): ModelCallInput {
  const {question, purpose, model, system, describes, without, maxOutputTokens} = input;
  const {waitMs, waits = false} = input;
  return {
    purpose,
    model,
    system,
    transcript: asking.transcript,
    tools: [question],
    ...(describes ? {describes} : {}),
    ...(without ? {without} : {}),
    toolChoice: questions[question].toolChoice,
    maxOutputTokens,
    waitMs,
    waits,
  };
}

function replied(
  {input, asking, reading: before}: QuestionContext,
  outcome: ModelOutcome & Delivered,
): Partial<QuestionContext> {
  const {at, ms} = outcome;
  const reading = readAnswer(input, outcome);
  return {
    outcome,
    reading: before.ok || reading.ok ? reading : {...before, ...reading},
    asking: {...asking, at, ms: asking.ms + ms},
  };
}

function repaired({input, asking, outcome, reading}: QuestionContext): Asking {
  const said = outcome.kind === 'ok' ? outcome.text : '';
  const problems = reading.ok ? [] : reading.problems;
  return {
    ...asking,
    asked: asking.asked + 1,
    transcript: askForRepair(asking.transcript, input, said, problems),
  };
}

function answered({asking, reading, ...context}: QuestionContext): QuestionOutput {
  const answer = reading.ok ? reading.value : 'otherwise' in reading && reading.otherwise;
  if (!answer) return unanswered({asking, reading, ...context});
  return {kind: 'answered', ...answer, ...asking};
}

function unanswered({input, asking, outcome, reading}: QuestionContext): QuestionOutput {
  const {noun} = questions[input.question];
  const failure = failureIn(outcome, reading, `${input.model} gave no valid ${noun}`);
  const {code, message} = failure;
  const isProse = outcome.kind === 'ok' && outcome.calls.length === 0;
  return {
    kind: 'unanswered',
    because: code === 'invalid_answer' ? `invalid ${noun}` : `${code}: ${message}`,
    failure,
    said: isProse ? outcome.text.trim() : '',
    ...asking,
  };
}

function failureIn(
  outcome: ModelOutcome,
  reading: AnswerReading<Answer>,
  message: string,
): Failure {
  if (outcome.kind !== 'ok') return {code: outcome.kind, message: outcome.message};
  const detail = reading.ok ? '' : reading.problems.join('; ');
  return {code: 'invalid_answer', message, ...(detail === '' ? {} : {detail})};
}

// Reads the answer to a question from a model's reply, and asks for a valid one.

/**
 * Reads exactly one complete call of the question's tool. Prose is never searched for an answer, and nothing is
 * repaired here.
 */
export function readAnswer(asked: AskedQuestion, outcome: ModelOutcome): AnswerReading<Answer> {
  if (outcome.kind !== 'ok') {
    return refused(outcome.code === textCall ? textCallRepair : outcome.message);
  }
  const tool = toolOf(asked.question);
  const [call, ...more] = outcome.calls;
  if (!call) return refused(`the reply called no tool; it must call ${tool}`);
  if (more.length > 0) {
    return refused(`the reply held ${more.length + 1} calls; it must call ${tool} exactly once`);
  }
  if (call.name !== tool) {
    return refused(`the reply called ${call.name}; it must call ${tool} exactly once`);
  }
  return call.problem === undefined ? readArguments(asked, call.args) : refused(call.problem);
}

/** True when the model replied, even if not as asked: a further request can then name the problems. */
function isRepairable({kind}: ModelOutcome): boolean {
  return kind === 'ok' || kind === 'protocol' || kind === 'truncated';
}

/** Extends the conversation after an invalid answer by the problems and the instruction. `said` is the text of the reply. */
export function askForRepair(
  transcript: Transcript,
  {question}: Pick<AskedQuestion, 'question'>,
  said: string,
  problems: readonly string[],
): Transcript {
  const {noun, repair} = questions[question];
  const text = said.trim() === '' ? `(no valid ${noun})` : said;
  return appendMessages(
    transcript,
    {role: 'assistant', text, calls: []},
    {
      role: 'user',
      text: writeSections([
        ['Problems', listText(problems.map((problem) => engineLine`${problem}`))],
        ['What to do', engineLine`${repair}`],
      ]),
    },
  );
}
