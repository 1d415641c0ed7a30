/** The chair of a discussion: its prompt, its candidates, and its conclusion. */

import {hasClaims} from '../../claims/claims.ts';
import type {Outage} from '../../domain/failure.ts';
import {ownMember} from '../../domain/json.ts';
import type {Participant} from '../../domain/settings.ts';
import {hideNames, labelFor, type Labelled} from '../../panel/names.ts';
import type {PollInput, PollOutput, PollSeat} from '../../panel/poll.ts';
import {attachedEvidence, attachedText} from '../../prompts/sections.ts';
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

/** Asks the first chair for the conclusion. The poll does not wait for a model that can't be called. */
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

/** The answers with labels, for the chair: without names, its own answer included. */
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

/** The reviews of the readers, with the chair's labels. */
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

/** The candidates, each model once: the moderator, then the participants that answered, the best first, or all of a debate. */
export function chairsOf(state: DiscussState): readonly Participant[] {
  const {participants, moderator} = state.settings.discuss;
  const ranked = rankVoices(voicesIn(state), state.reviews).flatMap(({participants: all}) => all);
  const order = state.debate
    ? participants.map(({id}) => id)
    : [...ranked, ...state.answers.map(({by}) => by)];
  const successors = [...new Set(order)].flatMap(
    (id) => participants.find((each) => each.id === id) ?? [],
  );
  const all = [moderator, ...successors];
  return all.filter(({model}, at) => all.findIndex((each) => each.model === model) === at);
}

/** Takes the conclusion, or passes the chair to the next candidate. */
export function withChair(state: DiscussState, replies: PollOutput): Partial<DiscussState> {
  const [chair, ...chairs] = state.chairs;
  const answer = chair && ownMember(replies, chair.id);
  const conclusion = answer && answerIn('conclude', answer);
  if (conclusion) return {conclusion};
  return {
    chairs,
    lost: [...state.lost, ...(chair ? silenceOf(chair.id, 'conclusion', answer) : [])],
  };
}

/** The conclusion may draw on all given texts, passages and answers. */
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

/** The outage of the first chair that could not be called: it may conclude when the run is resumed. */
export function lostToOutage({lost}: DiscussState): {readonly outage?: Outage} {
  const outage = lost.find((each) => each.outage)?.outage;
  return outage ? {outage} : {};
}
