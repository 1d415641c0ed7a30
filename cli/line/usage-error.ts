/** Errors of the command line, with their text in every language. */

import {AppError, type AppErrorCode} from '../../machines/domain/app-error.ts';
import {nearest} from '../../machines/domain/nearest.ts';
import type {Texts} from '../language.ts';

type Options = Pick<NonNullable<ConstructorParameters<typeof AppError>[2]>, 'cause' | 'details'>;

export function usageError(texts: Texts, options: Options = {}): AppError {
  return localError('usage', texts, options);
}

/** Programs read the English text; people read it in the language of their screen. */
export function localError(code: AppErrorCode, {en, ja}: Texts, options: Options = {}): AppError {
  return new AppError(code, en, {...options, translations: {ja}});
}

/** The message of an error in every language; one without a translation is English. */
export function errorTexts({message, translations}: AppError): Texts {
  return {en: message, ja: translations['ja'] ?? message};
}

/** `; did you mean "…"?`, or nothing when no candidate is near. */
export function meant(name: string, candidates: Iterable<string>): Texts {
  return meantOne(nearest(name, candidates));
}

export function meantOne(candidate: string | undefined): Texts {
  return candidate === undefined
    ? {en: '', ja: ''}
    : {en: `; did you mean "${candidate}"?`, ja: `。"${candidate}" のことですか？`};
}
