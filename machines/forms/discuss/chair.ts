/** The chair of a discussion: who has it, what it reads, and who has it next. */

import {hasClaims} from '../../claims/claims.ts';
import type {Outage} from '../../domain/outage.ts';
import type {Participant} from '../../domain/settings.ts';
import {labelFor, type Labelled} from '../../panel/labels.ts';
import {hideNames} from '../../panel/names.ts';
import type {PollInput, PollOutput, PollSeat} from '../../panel/polled.ts';
import {attachedEvidence, attachedText} from '../../prompts/attachment.ts';
import {openTranscript} from '../../prompts/transcript.ts';
import {answerIn} from '../../questions/question.ts';
import type {ClaimCheckInput, ClaimCheckOutput} from '../claim-check.ts';
import {capped, voicesIn} from './answers.ts';
import {discussionGround} from './background.ts';
import {debateMessage} from './debate-part.ts';
import {type DiscussState, silenceOf} from './discuss-state.ts';
import {readersIn} from './peer-reviews.ts';
import {chairMessage, chairSystem, debateChairSystem, type Remark} from './prompt.ts';
import {rankVoices} from './ranking.ts';
import {relabel} from './voices.ts';

/** Asks the first in the chair; one that can't be called is not waited for as long as there is another. */
export function chairPoll(state: DiscussState): PollInput {
  const {settings, chairs} = state;
  const seats = chairs.slice(0, 1).map(({id, model}): PollSeat => ({
    id,
    filledBy: 'model',
    ask: {
      question: 'conclude',
      purpose: 'conclude',
      about: {},
      model,
      system: state.debate ? debateChairSystem : chairSystem,
      transcript: openTranscript(messageOf(state)),
      maxOutputTokens: settings.maxOutputTokens,
    },
  }));
  return {subject: 'conclusion', seats, deadlineMs: settings.discuss.deadlineMs, enough: 0};
}

/** The labels that the chair reads: nobody's name, not its own answer either. */
export function shownToChair(state: DiscussState): readonly Labelled[] {
  return labelFor('', voicesIn(state), state.request);
}

function messageOf(state: DiscussState): string {
  if (state.debate) return debateMessage(state, state.debate);
  const shown = shownToChair(state);
  const missing = state.silent.filter(({what}) => what === 'answer').length;
  const notes = missing === 0 ? [] : [`Without an answer: ${missing} of the participants.`];
  return chairMessage(
    discussionGround(state),
    capped(shown, state),
    remarksIn(state, shown),
    notes,
  );
}

/** The readers' words, under the chair's labels. */
function remarksIn(state: DiscussState, shown: readonly Labelled[]): Remark[] {
  const labelOf = (by: string) => shown.find((each) => each.by === by)?.label;
  const read = new Map(readersIn(state).map(({reader, shown: own}) => [reader.id, own]));
  return state.reviews.map(({by, of, place, among, score, assessment, strengths, weaknesses}) => {
    const reading = (text: string) => hidden(relabel(text, read.get(by) ?? [], labelOf), state);
    return {
      label: labelOf(of) ?? '',
      score,
      place: `place ${place} of ${among}`,
      words: [
        reading(assessment),
        ...strengths.map((text) => `for it: ${reading(text)}`),
        ...weaknesses.map((text) => `against it: ${reading(text)}`),
      ],
    };
  });
}

function hidden(text: string, {settings, request}: DiscussState): string {
  return hideNames(text, settings.discuss.participants, request);
}

/** The moderator, then those who answered, the best first; a model that has failed in the chair does not get it twice. */
export function chairsOf(state: DiscussState): readonly Participant[] {
  const {participants, moderator} = state.settings.discuss;
  const ranked = rankVoices(voicesIn(state), state.reviews).flatMap(({participants: all}) => all);
  const order = state.debate
    ? participants.map(({id}) => id)
    : [...ranked, ...state.answers.map(({by}) => by)];
  const heirs = [...new Set(order)].flatMap(
    (id) => participants.find((each) => each.id === id) ?? [],
  );
  const all = [moderator, ...heirs];
  return all.filter(({model}, at) => all.findIndex((each) => each.model === model) === at);
}

/** The conclusion, or the next in the chair. */
export function withChair(state: DiscussState, heard: PollOutput): Partial<DiscussState> {
  const [chair, ...chairs] = state.chairs;
  const answer = chair && heard[chair.id];
  const conclusion = answer && answerIn('conclude', answer);
  if (conclusion) return {conclusion};
  return {
    chairs,
    lost: [...state.lost, ...(chair ? silenceOf(chair.id, 'conclusion', answer) : [])],
  };
}

/** The conclusion may report from everything that was given, read and answered. */
export function claimsOf(state: DiscussState): ClaimCheckInput {
  const {request, workspace, attachments, inherited = '', survey, passages, answers} = state;
  const {chairs, conclusion, settings} = state;
  return {
    purpose: 'discuss',
    question: request,
    answer: conclusion?.conclusion ?? '',
    workspace,
    evidence: attachedEvidence(attachments),
    sources: [
      request,
      inherited,
      attachedText(attachments),
      survey.text,
      passages,
      ...answers.map(({text}) => text),
    ],
    model: (chairs[0] ?? settings.discuss.moderator).model,
    maxOutputTokens: settings.maxOutputTokens,
  };
}

export function withChecked(
  {conclusion}: DiscussState,
  {answer, isCut}: ClaimCheckOutput,
): Partial<DiscussState> {
  if (!conclusion) return {};
  const kept = (points: readonly string[]) =>
    isCut ? points.filter((point) => !hasClaims(point, 'author')) : [...points];
  return {
    conclusion: {
      conclusion: answer,
      key_points: kept(conclusion.key_points),
      agreements: kept(conclusion.agreements),
      disagreements: kept(conclusion.disagreements),
    },
    ...(isCut ? {isCut} : {}),
  };
}

/** The first in the chair that could not be called: another day it may draw the conclusion. */
export function lostToOutage({lost}: DiscussState): {readonly outage?: Outage} {
  const outage = lost.find((each) => each.outage)?.outage;
  return outage ? {outage} : {};
}
