/**
 * Makes one valid plan: drafted by a model, or given by a person.
 *
 * drafting → validating → ready; back to drafting with the problems; failed. A given plan: validating → ready; failed
 */

import {assign, setup} from 'xstate';

import {onCrash, otherwise, when} from '../../../actor-end.ts';
import type {Failure} from '../../../domain/failure.ts';
import {
  callsIn,
  type CheckedCalls,
  type Plan,
  type PlanGround,
  type PlannedChange,
  replanArguments,
} from '../../../domain/plan.ts';
import {isOpposed, type ReviewRound} from '../../../domain/review.ts';
import type {ToolInfo} from '../../../domain/tool.ts';
import {historyText} from '../../../panel/round.ts';
import {checkCalls} from '../../../ports.ts';
import {
  engineLine,
  jsonLines,
  personWords,
  quotedText,
  type SectionText,
} from '../../../prompts/section-text.ts';
import {type Section, withRules, writeSections} from '../../../prompts/sections.ts';
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
import {feedbackText, openText, resultsText} from '../evaluation/results-text.ts';
import type {PlanRun} from '../execution/open-work.ts';

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

// The prompt of the planner, for the first plan, revisions and replanning.

const systemText = `You plan work for an agent. Propose the plan by calling create_plan exactly once.
For each task name the tool and its exact arguments when you know them, or only the tool, or neither when the agent is to choose.
A panel votes on the plan before anything runs. Plan only what the request asks for, read before you change, and prefer \
the smallest plan that does the job. Keep work that belongs together in one task: its worker has many turns, and tasks do not share \
what they read.`;

/** Spawning tools are named in one line, as few plans need them. */
function plannerSystem(tools: readonly ToolInfo[]): string {
  const spawning = tools.filter(({spawns}) => spawns !== undefined).map(({name}) => name);
  return spawning.length === 0
    ? systemText
    : `${systemText}\nOther interactions ({request, context_mode?}), for separate work: ${spawning.join(', ')}.`;
}

export interface PlanningBrief {
  readonly request: string;
  /** Messages received during the run. */
  readonly pendingMessages?: readonly Section[];
  /** The sections gathered about the workspace. */
  readonly background: readonly Section[];
  /** The plan to revise. */
  readonly previous?: Plan;
  /** A person asks for the revision, by a message. */
  readonly isByPerson?: boolean;
  /** The scores of the previous plan by other planners. */
  readonly advice?: SectionText;
  /** All rounds of votes on the previous plan and its predecessors. */
  readonly rounds: readonly ReviewRound[];
  /** Earlier plans and their results, when the open work is planned again. */
  readonly runs: readonly PlanRun[];
  /** Limit for all results, in bytes. */
  readonly maxResults: number;
}

export function planMessage(brief: PlanningBrief): string {
  const sections: Section[] = [
    ['Request', personWords(brief.request)],
    ...(brief.pendingMessages ?? []),
    ...brief.background,
    ['Done so far', resultsText(brief.runs, brief.maxResults)],
    ['Still to be done', openText(brief.runs)],
    ['Problems found in the results', feedbackText(brief.runs)],
    ['Previous plan', brief.previous && quotedText(jsonLines(brief.previous))],
    ['Votes on the earlier plans', historyText(brief.rounds)],
    ['Scores of the previous plan', brief.advice],
    ['What to do', task(brief)],
  ];
  return writeSections(sections);
}

function task(brief: PlanningBrief): SectionText {
  if (brief.advice !== undefined) return scored;
  if (brief.isByPerson) return askedAnew;
  if (brief.previous) return revisionTask(brief.rounds);
  if (brief.runs.length === 0) return engineLine`Plan the work.`;
  return engineLine`Plan only what is left to do. Give new tasks new ids; they may depend on tasks that have succeeded. Each task \
that is still to be done must be redone by a task that names its id in redoes, or be named in drops with the reason why the \
request does not need it. If a task is in neither, the run fails.`;
}

/** The task of a revision. Without a reason against the previous plan, the planner can't know what to change. */
function revisionTask(rounds: readonly ReviewRound[]): SectionText {
  const last = rounds.at(-1);
  return last && !isOpposed(last) ? unopposed : opposed;
}

const scored = engineLine`The previous plan is the best of several drafts, but its score is too low. Draft it once more so that the \
reasons for its scores are met.`;

const askedAnew = engineLine`The person who asks saw the previous plan and wants another: revise it so that it does what their last \
message says, which is part of the request.`;

const opposed = engineLine`Revise the previous plan so that every reason given against it is met. A plan that was rejected is not \
voted on again.`;

const unopposed = engineLine`Nobody gave a reason against the previous plan: it was not approved because seats did not vote, which is not \
a fault of the plan. Propose it again, or one that is easier to judge.`;
