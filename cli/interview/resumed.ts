/** An interview that goes on: its form may have changed meanwhile. */

import {resolve} from 'node:path';

import type {Run} from '../../actors/runtime-api.ts';
import {questionnaireDigest} from '../../machines/questionnaire/questionnaire.ts';
import {readFormFile} from '../../tools/questionnaire/form-file.ts';
import {wordsFor} from './words.ts';

/**
 * Tells the interview when the file that it was begun with holds another form now. Resolves with what the person must know;
 * a form that no file holds, as a program's own, is as it was.
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
