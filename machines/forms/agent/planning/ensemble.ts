/**
 * One plan from several planners: each drafts a plan and scores the drafts of the others, and the best draft is chosen.
 *
 * drafting → scoring → chosen → (debating) → settled; chosen → redrafting …, when the best is not good enough
 *
 * A single draft is not scored. Without any draft: alone, one planner as without an ensemble → settled
 */

import {
  assign,
  type DoneActorEvent,
  enqueueActions,
  type ErrorActorEvent,
  setup,
  stopChild,
} from 'xstate';

import {otherwise, outputIn} from '../../../actor-end.ts';
import {toFailure} from '../../../domain/failure.ts';
import {planHash} from '../../../domain/plan.ts';
import {report} from '../../../facts/record.ts';
import {type PollInput, pollMachine, type PollOutput} from '../../../panel/poll.ts';
import {openTranscript} from '../../../prompts/transcript.ts';
import {answerIn} from '../../../questions/question.ts';
import type {DebateOutput} from '../../debate/debate-state.ts';
import {debateMachine} from '../../debate/debate.ts';
import {type GivenScore, scoring} from './choice.ts';
import {
  bestDraft,
  chosen,
  debated,
  debateInput,
  type Drafted,
  draftEnd,
  draftInput,
  draftReport,
  type EnsembleContext,
  type EnsembleInput,
  isLow,
  lateDrafts,
  openEnsemble,
  planned,
  redraftInput,
  runnerUp,
  scoreReports,
  tableOf,
  draftsIn,
} from './ensemble-state.ts';
import {planningMachine, type PlanningOutput} from './planning.ts';
import {scoringMessage, scoringSystem} from './scoring-prompt.ts';

type DraftId = `draft:${string}`;

export const ensembleMachine = setup({
  types: {} as {
    context: EnsembleContext;
    input: EnsembleInput;
    output: PlanningOutput;
    events: DoneActorEvent<PlanningOutput, DraftId> | ErrorActorEvent<unknown, DraftId>;
  },
  actors: {debate: debateMachine, planning: planningMachine, poll: pollMachine},
  actions: {
    startDrafts: enqueueActions(({context, enqueue}) => {
      for (const model of context.planners) {
        enqueue.spawnChild('planning', {id: draftActor(model), input: draftInput(context, model)});
      }
    }),
    takeDraft: assign(({context: {drafted}}, one: Drafted) => ({drafted: [...drafted, one]})),
    dismiss: stopChild((_, actorId: string) => actorId),
    giveUpLate: enqueueActions(({context, enqueue}) => {
      const late = lateDrafts(context);
      for (const {by} of late) enqueue.stopChild(draftActor(by));
      enqueue.assign({drafted: [...context.drafted, ...late]});
      for (const one of late) enqueue(report(() => draftReport(one)));
    }),
    takeScores: assign(({context}, replies: PollOutput) => ({scores: scoresIn(context, replies)})),
    takeBest: assign(({context}) => chosen(context)),
    takePlan: assign(({context}, output: PlanningOutput) => planned(context, output)),
    takeDebate: assign(({context}, debate: DebateOutput) => debated(context, debate)),
    reportStart: report(({context: {planners}}) => ({type: 'ensemble.started', planners})),
    reportDraft: report((_, one: Drafted) => draftReport(one)),
    reportScores: enqueueActions(({context, enqueue}) => {
      for (const one of scoreReports(context)) enqueue(report(() => one));
    }),
    reportChoice: report(({context}) => tableOf(context)),
    reportAlone: report(() => ({
      type: 'warning',
      message: 'no planner of the ensemble drafted a plan; the decision model plans alone',
    })),
  },
  guards: {
    isComplete: ({context}) => context.drafted.length === context.planners.length,
    isWithout: ({context}) => bestDraft(context) === undefined,
    isSingle: ({context}) => context.drafted.filter(({plan}) => plan).length === 1,
    isLow: ({context}) => isLow(context),
    isToDebate: ({context}) =>
      context.planning.work.settings.agent.strategy === 'debate' && runnerUp(context) !== undefined,
  },
  delays: {deadline: ({context}) => deadlineOf(context)},
}).createMachine({
  id: 'ensemble',
  context: ({input}) => openEnsemble(input),
  initial: 'drafting',
  states: {
    drafting: {
      entry: ['reportStart', 'startDrafts'],
      always: {guard: 'isComplete', target: 'drafted'},
      on: {
        'xstate.done.actor.*': {
          actions: [
            {type: 'takeDraft', params: ({event}) => draftEnd(modelOf(event), event.output)},
            {type: 'reportDraft', params: ({event}) => draftEnd(modelOf(event), event.output)},
            {type: 'dismiss', params: ({event}) => event.actorId},
          ],
        },
        'xstate.error.actor.*': {
          actions: [
            {type: 'takeDraft', params: ({event}) => crashed(event)},
            {type: 'reportDraft', params: ({event}) => crashed(event)},
            {type: 'dismiss', params: ({event}) => event.actorId},
          ],
        },
      },
      after: {deadline: {target: 'drafted', actions: 'giveUpLate'}},
    },
    drafted: {
      tags: 'choice',
      always: [
        {guard: 'isWithout', target: 'alone', actions: 'reportAlone'},
        {guard: 'isSingle', target: 'chosen'},
        {target: 'scoring'},
      ],
    },
    scoring: {
      invoke: {
        src: 'poll',
        id: 'scores',
        input: ({context}) => scoringPoll(context),
        onDone: {
          target: 'chosen',
          actions: [{type: 'takeScores', params: outputIn}, 'reportScores'],
        },
        onError: 'chosen',
      },
    },
    chosen: {
      tags: 'choice',
      entry: ['takeBest', 'reportChoice'],
      always: [{guard: 'isLow', target: 'redrafting'}, {target: 'decided'}],
    },
    redrafting: {
      invoke: {
        src: 'planning',
        id: 'redraft',
        input: ({context}) => redraftInput(context),
        onDone: otherwise('decided', 'takePlan'),
        onError: 'decided',
      },
    },
    decided: {
      tags: 'choice',
      always: [{guard: 'isToDebate', target: 'debating'}, {target: 'settled'}],
    },
    debating: {
      invoke: {
        src: 'debate',
        id: 'debate',
        input: ({context}) => debateInput(context),
        onDone: otherwise('settled', 'takeDebate'),
        onError: 'settled',
      },
    },
    alone: {
      invoke: {
        src: 'planning',
        id: 'planning',
        input: ({context}) => context.planning,
        onDone: otherwise('settled', 'takePlan'),
        onError: 'settled',
      },
    },
    settled: {type: 'final', output: ({context}) => context.output},
  },
  output: ({event}) => event.output as PlanningOutput,
});

/** The time for all drafts together, and for all scores together. */
function deadlineOf({planning}: EnsembleContext): number {
  return planning.work.settings.quorum.deadlineMs;
}

function draftActor(model: string): DraftId {
  return `draft:${encodeURIComponent(model)}`;
}

function modelOf({actorId}: {readonly actorId: string}): string {
  return decodeURIComponent(actorId.slice('draft:'.length));
}

/** The outcome of a planner whose actor crashed, which is a bug. */
function crashed({actorId, error}: ErrorActorEvent<unknown, DraftId>): Drafted {
  return draftEnd(modelOf({actorId}), {kind: 'failed', failure: toFailure(error)});
}

// The poll in which the planners of an ensemble score each other's drafts.

function scoringPoll(context: EnsembleContext): PollInput {
  const {planners, planning} = context;
  const drafts = draftsIn(context);
  return {
    subject: drafts.map(({plan}) => planHash(plan)).join(),
    deadlineMs: deadlineOf(context),
    enough: 0,
    seats: scoring(planners, drafts).map(({scorer, draft}) => ({
      id: seatOf(scorer, draft.by),
      filledBy: 'model',
      ask: {
        question: 'score_plan',
        purpose: 'score-plan',
        about: {},
        model: scorer,
        system: scoringSystem,
        transcript: openTranscript(scoringMessage(planning.brief, draft.plan)),
        maxOutputTokens: planning.work.settings.maxOutputTokens,
      },
    })),
  };
}

function seatOf(scorer: string, author: string): string {
  return `${scorer} on ${author}`;
}

/** In the order of the configuration. */
function scoresIn(context: EnsembleContext, replies: PollOutput): GivenScore[] {
  return scoring(context.planners, draftsIn(context)).flatMap(({scorer, draft: {by: of}}) => {
    const answer = replies[seatOf(scorer, of)];
    const given = answer && answerIn('score_plan', answer);
    return given ? [{scorer, of, ...given}] : [];
  });
}
