/** Whom a discussion asks what, in each of its phases. */

import {capBytes} from '../../domain/buffer.ts';
import {openTranscript} from '../../domain/transcript.ts';
import {labelFor, type Labelled} from '../../panel/labels.ts';
import {hideNames} from '../../panel/names.ts';
import type {PollInput, PollSeat} from '../../panel/polled.ts';
import type {PortRequest} from '../../ports.ts';
import type {QuestionInput} from '../../question.ts';
import {debateMessage} from './debate-part.ts';
import {type DiscussState, groundOf, readersIn, voicesIn} from './discuss-state.ts';
import {
  chairMessage,
  chairSystem,
  debateChairSystem,
  participantMessage,
  participantSystem,
  readerMessage,
  readerSystem,
  type Remark,
} from './prompt.ts';
import {relabel} from './voices.ts';

/** One answer is enough to go on. */
export function answersPoll(state: DiscussState): PollInput {
  const {settings} = state;
  const {participants, deadlineMs} = settings.discuss;
  const ground = groundOf(state);
  const seats = participants.map(({id, model, view}): PollSeat => ({
    id,
    filledBy: 'speaker',
    ask: {
      purpose: 'discuss',
      model,
      system: participantSystem,
      transcript: openTranscript(participantMessage(ground, view)),
      tools: [],
      toolChoice: 'none',
      maxOutputTokens: settings.maxOutputTokens,
    },
  }));
  return {subject: 'answers', seats, deadlineMs, enough: 1};
}

export function reviewsPoll(state: DiscussState): PollInput {
  const {settings} = state;
  const ground = groundOf(state);
  const seats = readersIn(state).map(({reader: {id, model}, shown}): PollSeat => {
    const labels = shown.map(({label}) => label);
    const ask: QuestionInput = {
      question: 'rank_answers',
      purpose: 'rank-answers',
      about: {labels},
      model,
      system: readerSystem,
      transcript: openTranscript(readerMessage(ground, capped(shown, state))),
      maxOutputTokens: settings.maxOutputTokens,
    };
    return {id, filledBy: 'model', ask};
  });
  return {subject: 'reviews', seats, deadlineMs: settings.discuss.deadlineMs, enough: 1};
}

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
  return chairMessage(groundOf(state), capped(shown, state), remarksIn(state, shown), notes);
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

function capped(shown: readonly Labelled[], {settings}: DiscussState): readonly Labelled[] {
  const {maxEntryBytes} = settings.context;
  return shown.map((each) => ({...each, text: capBytes(each.text, maxEntryBytes)}));
}

const maxQuery = 2_000;

/** Documents that speak of the question. */
export function searchRequest({request, workspace}: DiscussState): PortRequest<'runTool'> {
  return {
    tool: 'search',
    args: {query: request.slice(0, maxQuery).toWellFormed()},
    workspace,
    repeatability: 'repeatable',
  };
}
