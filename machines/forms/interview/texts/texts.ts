/** The texts of an interview by rule, by language. A new language is a new file and a row in the table. */

import {en} from './en.ts';
import type {InterviewTexts} from './interview-texts.ts';
import {ja} from './ja.ts';

const languages: ReadonlyMap<string, InterviewTexts> = new Map([
  ['en', en],
  ['ja', ja],
]);

/** The languages with texts, BCP 47. */
export const textLanguages: readonly string[] = [...languages.keys()];

export function hasTexts(language: string): boolean {
  return languages.has(primaryOf(language));
}

/** The texts of the nearest language; English when there is none. */
export function textsFor(language: string | undefined): InterviewTexts {
  return languages.get(primaryOf(language ?? 'en')) ?? en;
}

function primaryOf(language: string): string {
  return language.toLowerCase().split('-')[0] ?? language;
}
