/** Parts of interviews driven by hand: a small form, its settings and the replies of a person. */

import {openDialogue} from '../../../../machines/forms/interview/dialogue.ts';
import type {Route} from '../../../../machines/questionnaire/answer-reading.ts';
import type {Questionnaire} from '../../../../machines/questionnaire/questionnaire.ts';
import type {ByHand} from '../../../support/by-hand.ts';

const field = {required: true, type: 'text', sensitivity: 'none'} as const;

export const form: Questionnaire = {
  id: 'trip',
  title: 'Your trip',
  fields: [
    {...field, id: 'name', label: 'Your name', order: 1},
    {...field, id: 'size', label: 'Shirt size', required: false, order: 2, why: 'For the shirt.'},
    {
      ...field,
      id: 'card',
      label: 'Card number',
      order: 3,
      sensitivity: 'secret',
      relevantIf: "size = 'L'",
    },
  ],
  facts: [{field: 'name', key: 'family', fact: 'Family name'}],
};

export const byRule = {
  model: 'offline/offline',
  reviewer: 'offline/offline',
  isByRule: true,
  isReviewedByRule: true,
  maxLoops: 3,
  maxFollowUps: 1,
  maxOutputTokens: 100,
};

export const byModel = {
  ...byRule,
  model: 'mock/talker',
  reviewer: 'mock/reviewer',
  isByRule: false,
  isReviewedByRule: false,
};

export const dialogue = openDialogue(form, {language: 'en', country: 'JP', timezone: 'Asia/Tokyo'});

/** Replies to the waiting message as the person, and settles the reading of the reply with `route`. */
export function say(talk: ByHand, text: string, route: Route = {kind: 'answer'}): void {
  talk.settle('/person', {text});
  talk.settle('/reading', {route, found: []});
}

/** The check of an answer by rule; without `more`, the answer is valid. */
export function sound(value: string, more: object = {}): object {
  return {value, quote: value, facts: {}, problems: [], missing: [], suffices: true, ...more};
}

/** The message that waits for a reply. */
export function message(talk: ByHand): string {
  return talk.requests('askPerson').at(-1)?.message ?? '';
}
