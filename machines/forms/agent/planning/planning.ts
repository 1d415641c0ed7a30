/**
 * Makes one valid plan: drafted by a model, or given by a person.
 *
 * drafting → validating → ready; back to drafting with the problems; failed. A given plan: validating → ready; failed
 */

import {assign, setup} from 'xstate';

import {onCrash, otherwise, when} from '../../../actor-end.ts';
import type {Failure} from '../../../domain/failure.ts';
import type {CheckedCalls, PlannedChange} from '../../../domain/plan-changes.ts';
import {callsIn, type Plan, type PlanGround, replanArguments} from '../../../domain/plan.ts';
import {checkCalls} from '../../../ports.ts';
import {withRules} from '../../../prompts/sections.ts';
import {openTranscript, type Transcript} from '../../../prompts/transcript.ts';
import {
  answerIn,
  askForRepair,
  type QuestionInput,
  questionMachine,
  type QuestionOutput,
  whyUnanswered,
} from '../../../questions/question.ts';
import type {Work} from '../agent-state.ts';
import {type PlanningBrief, planMessage, plannerSystem} from './planner-prompt.ts';

/** Maximum number of drafts of one plan. Unreadable drafts and drafts with invalid calls count. */
const maxDrafts = 3;

export interface PlanningInput {
  readonly work: Work;
  readonly brief: PlanningBrief;
  /** `provider/model`. */
  readonly model: string;
  readonly ground: PlanGround;
  /** A plan from a person: it is checked instead of a draft, and no model repairs it. */
  readonly given?: Plan;
  /** Fails if the model can't be called, instead of waiting for it: other planners draft too. */
  readonly goesWithout?: true;
}

export type PlanningOutput =
  | {
      readonly kind: 'ready';
      readonly plan: Plan;
      /** The changes that its calls make to files. Absent: none. */
      readonly changes?: readonly PlannedChange[] | undefined;
      /** `provider/model`, or `person`. */
      readonly by: string;
      /** The open objections of a debate on the plan. */
      readonly objections?: readonly string[];
    }
  | {readonly kind: 'failed'; readonly failure: Failure};

export interface PlanningContext extends PlanningInput {
  readonly transcript: Transcript;
  readonly drafts: number;
  readonly plan: Plan;
  readonly changes?: readonly PlannedChange[] | undefined;
  readonly failure: Failure;
}

export const planningMachine = setup({
  types: {} as {context: PlanningContext; input: PlanningInput; output: PlanningOutput},
  actors: {checkCalls, question: questionMachine},
  actions: {
    takeDraft: assign(({context}, answer: QuestionOutput) => drafted(context, answer)),
    sendBack: assign(({context: {transcript}}, {problems}: CheckedCalls) => ({
      transcript: askForRepair(transcript, {question: 'create_plan'}, '', problems),
    })),
    takeChanges: assign((_, {changes}: CheckedCalls) => ({changes})),
    takeNoDraft: assign(({context}, answer: QuestionOutput) => ({
      failure: draftFailure(context, answer),
    })),
    takeProblems: assign(({context}, {problems}: CheckedCalls) => ({
      failure: invalidPlan(context, problems.join('\n')),
    })),
    takeCrash: assign((_, failure: Failure) => ({failure})),
  },
  guards: {
    isAnswered: (_, {kind}: QuestionOutput) => kind === 'answered',
    isGiven: ({context}) => context.given !== undefined,
    isSound: (_, {problems}: CheckedCalls) => problems.length === 0,
    hasDraftsLeft: ({context}) => context.drafts < maxDrafts,
  },
}).createMachine({
  id: 'planning',
  context: ({input}) => ({
    ...input,
    transcript: openTranscript(planMessage(input.brief)),
    drafts: input.given ? maxDrafts : 0,
    plan: input.given ?? {objective: '', reasoning: '', tasks: []},
    failure: {code: 'internal', message: 'no plan was made'},
  }),
  initial: 'opened',
  states: {
    opened: {
      tags: 'choice',
      always: [{guard: 'isGiven', target: 'validating'}, {target: 'drafting'}],
    },
    drafting: {
      invoke: {
        src: 'question',
        id: 'question',
        input: ({context}) => questionOf(context),
        onDone: [when('isAnswered', 'validating', 'takeDraft'), otherwise('failed', 'takeNoDraft')],
        onError: onCrash('failed', 'takeCrash'),
      },
    },
    validating: {
      invoke: {
        src: 'checkCalls',
        id: 'check',
        input: ({context}) => ({calls: callsIn(context.plan), workspace: context.work.workspace}),
        onDone: [
          when('isSound', 'ready', 'takeChanges'),
          {guard: 'hasDraftsLeft', ...otherwise('drafting', 'sendBack')},
          otherwise('failed', 'takeProblems'),
        ],
        onError: onCrash('failed', 'takeCrash'),
      },
    },
    ready: {
      type: 'final',
      output: ({context: {plan, changes, given, model}}) => ({
        kind: 'ready',
        plan,
        ...(changes ? {changes} : {}),
        by: given ? 'person' : model,
      }),
    },
    failed: {
      type: 'final',
      tags: 'failure',
      output: ({context: {failure}}) => ({kind: 'failed', failure}),
    },
  },
  output: ({event}) => event.output as PlanningOutput,
});

function questionOf(context: PlanningContext): QuestionInput {
  const {work, model, ground, transcript, drafts, goesWithout} = context;
  const {tools, maxOutputTokens} = work.settings;
  return {
    question: 'create_plan',
    purpose: 'plan',
    about: {tools, ground},
    model,
    system: withRules(plannerSystem(tools), transcript.messages[0]?.text ?? ''),
    describes: tools
      .filter(({spawns, finds}) => spawns === undefined && finds === undefined)
      .map(({name}) => name),
    ...(isFirstPlan(ground) ? {without: replanArguments} : {}),
    transcript,
    maxOutputTokens,
    repairs: maxDrafts - drafts - 1,
    waits: goesWithout !== true,
  };
}

function isFirstPlan({settled, open}: PlanGround): boolean {
  return settled.length === 0 && open.length === 0;
}

function drafted({drafts}: PlanningContext, answer: QuestionOutput): Partial<PlanningContext> {
  const plan = answerIn('create_plan', answer);
  const {asked, transcript} = answer;
  return {drafts: drafts + asked, transcript, ...(plan ? {plan} : {})};
}

/** If the model answered in prose instead of a plan, the failure quotes it, as it may give the reason. */
function draftFailure(context: PlanningContext, answer: QuestionOutput): Failure {
  const failure = whyUnanswered(answer);
  if (failure.code !== 'invalid_answer') return failure;
  const said = answer.kind === 'unanswered' ? answer.said : '';
  return said === ''
    ? invalidPlan(context, failure.detail ?? failure.message)
    : {code: 'no_plan', message: said};
}

/** The problems of a given plan are for the person who gave it; those of a draft are for its planner. */
function invalidPlan({given, model}: PlanningContext, problems: string): Failure {
  const code = 'invalid_plan';
  if (given) return {code, message: `The plan is not valid. Its errors:\n${problems}`};
  return {code, message: `${model} made no valid plan.`, detail: problems};
}
