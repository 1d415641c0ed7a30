/** Masks the private answers of a run in everything that is shown of it. */

import {AppError} from '../../machines/domain/app-error.ts';
import {createPrivacy, type Privacy} from '../../machines/questionnaire/private-answers.ts';
import type {Entry} from '../journal/journal.ts';
import {peekRun} from './record.ts';

/**
 * `entries`: of the whole run, because an answer is known as private only after it was read. `shown`: the parts that are shown, which
 * may hold an answer that the end of the run no longer holds. A run of another version has only its record as a source.
 */
export async function privacyOf(
  id: string,
  entries: readonly Entry[],
  ...shown: readonly object[]
): Promise<Privacy> {
  return createPrivacy(entries, await interviewOf(id, entries), ...shown);
}

async function interviewOf(id: string, entries: readonly Entry[]): Promise<object> {
  try {
    return (await peekRun(id, entries)).interview ?? {};
  } catch (error) {
    if (error instanceof AppError) return {};
    throw error;
  }
}
