/** The poll in which the planners of an ensemble score each other's drafts. */

import {planHash} from '../../../domain/plan.ts';
import type {PollInput, PollOutput} from '../../../panel/polled.ts';
import {openTranscript} from '../../../prompts/transcript.ts';
import {answerIn} from '../../../questions/question.ts';
import {type GivenScore, scoring} from './choice.ts';
import {draftsIn, type EnsembleContext} from './ensemble-state.ts';
import {scoringMessage, scoringSystem} from './scoring-prompt.ts';

export function scoringPoll(context: EnsembleContext): PollInput {
  const {planners, planning, deadlineMs} = context;
  const drafts = draftsIn(context);
  return {
    subject: drafts.map(({plan}) => planHash(plan)).join(),
    deadlineMs,
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
        maxOutputTokens: planning.maxOutputTokens,
      },
    })),
  };
}

function seatOf(scorer: string, author: string): string {
  return `${scorer} on ${author}`;
}

/** In the order of the configuration. */
export function scoresIn(context: EnsembleContext, replies: PollOutput): GivenScore[] {
  return scoring(context.planners, draftsIn(context)).flatMap(({scorer, draft: {by: of}}) => {
    const answer = replies[seatOf(scorer, of)];
    const given = answer && answerIn('score_plan', answer);
    return given ? [{scorer, of, ...given}] : [];
  });
}
