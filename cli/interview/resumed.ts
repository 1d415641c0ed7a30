/** A resumed interview: its form may have changed meanwhile. */

import {resolve} from 'node:path';

import type {Run} from '../../actors/runtime-api.ts';
import {questionnaireDigest} from '../../machines/questionnaire/questionnaire.ts';
import {readFormFile} from '../../tools/questionnaire/form-file.ts';
import {wordsFor} from './words.ts';

/**
 * Sends the interview its form again when the form file has changed. Resolves with warnings for the person. A form that did not
 * come from a file, such as a program's own, is unchanged.
 */
export async function followForm(
  run: Pick<Run, 'interview' | 'send'>,
  {workspace, request}: {readonly workspace: string; readonly request: string},
): Promise<readonly string[]> {
  const view = run.interview();
  const form = await readFormFile(resolve(workspace, request));
  if (!view || form.kind === 'absent') return [];
  if (form.kind !== 'read') {
    return [`${wordsFor(view.answers.language).formGone}${form.problems.join('; ')}`];
  }
  const {questionnaire} = form;
  if (questionnaireDigest(questionnaire) !== questionnaireDigest(view.questionnaire)) {
    run.send({type: 'form.changed', questionnaire});
  }
  return [];
}
