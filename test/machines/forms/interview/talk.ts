/** Interviews by hand: a small form, who leads it, and what a person says. */

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

/** The person replies to the one message that waits, and rules say what it is. */
export function say(talk: ByHand, text: string, route: Route = {kind: 'answer'}): void {
  talk.settle('/person', {text});
  talk.settle('/reading', {route, found: []});
}

/** What rules say of an answer. */
export function sound(value: string, more: object = {}): object {
  return {value, quote: value, facts: {}, problems: [], missing: [], suffices: true, ...more};
}

/** The message that waits for a reply. */
export function message(talk: ByHand): string {
  return talk.requests('askPerson').at(-1)?.message ?? '';
}
