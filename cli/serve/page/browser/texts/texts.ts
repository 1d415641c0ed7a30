/** The texts of the page itself. For another language, add a file and a line in the table. */

import type {Problem, Progress} from '../sync/shown.ts';
import type {FieldStatus} from '../sync/wire.ts';
import {en} from './en.ts';
import {ja} from './ja.ts';

export interface Texts {
  /** BCP 47. */
  readonly language: string;
  /** The language in its own words. */
  readonly name: string;
  readonly conversation: string;
  readonly answers: string;
  readonly menu: string;
  readonly skipToAnswer: string;
  /** The speaker's name, for screen readers. */
  readonly speaker: {readonly agent: string; readonly person: string};
  readonly yourAnswer: string;
  readonly answerTo: (label: string) => string;
  readonly send: string;
  /** In the empty text box; for a question with suggested answers. */
  readonly placeholder: string;
  readonly placeholderWithChoices: string;
  readonly keys: string;
  readonly working: string;
  readonly sending: string;
  readonly waiting: string;
  readonly problems: Readonly<Record<Problem, string>>;
  readonly offline: string;
  readonly lost: string;
  readonly progress: (progress: Progress) => string;
  readonly optional: string;
  readonly status: Readonly<Record<FieldStatus, string>>;
  readonly change: (label: string) => string;
  readonly changeShort: string;
  readonly save: string;
  readonly cancel: string;
  readonly show: (label: string) => string;
  readonly hide: (label: string) => string;
  readonly showShort: string;
  readonly hideShort: string;
  readonly suggestions: string;
  readonly pickDay: string;
  /** Texts that the interview understands as commands. */
  readonly say: {
    readonly today: string;
    readonly tomorrow: string;
    readonly yes: string;
    readonly no: string;
    readonly skip: string;
    readonly why: string;
    readonly goOn: string;
  };
  readonly review: {
    readonly title: string;
    readonly lead: string;
    readonly assumed: (settings: string) => string;
    readonly open: string;
    readonly submit: string;
    readonly submitting: string;
  };
  readonly ending: {
    readonly title: string;
    readonly text: string;
    readonly download: string;
    readonly print: string;
  };
  /** It ended without being submitted. */
  readonly broken: {readonly title: string; readonly text: string};
  readonly back: {
    readonly title: string;
    readonly goOn: string;
    readonly startOver: string;
    readonly startOverAsk: string;
  };
  readonly erase: {
    readonly action: string;
    readonly title: string;
    readonly ask: string;
    readonly confirm: string;
    readonly doneTitle: string;
    readonly done: string;
  };
  readonly gone: {readonly title: string; readonly text: string};
  readonly unknownForm: {readonly title: string; readonly text: string};
  readonly failed: {readonly title: string; readonly text: string; readonly again: string};
}

const languages: Readonly<Record<string, Texts>> = {en, ja};

/** The languages of the texts, in their own words. */
export const languageNames: readonly string[] = Object.values(languages).map(({name}) => name);

/** The texts of the nearest language; English without one. */
export function textsFor(language: string): Texts {
  return languages[primaryOf(language)] ?? en;
}

/** `ja` of `ja-JP`. */
function primaryOf(language: string): string {
  return language.toLowerCase().split('-')[0] ?? '';
}
