/** A resumed interview: its form may have changed meanwhile. */

import {resolve} from 'node:path';

import type {Run} from '../../actors/runtime-api.ts';
import {t} from '../../machines/message.ts';
import {questionnaireDigest} from '../../machines/questionnaire/questionnaire.ts';
import {readFormFile} from '../../tools/questionnaire/form-file.ts';
import {say, tryLanguage} from '../language.ts';

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
    const why = form.problems.join('; ');
    const language = tryLanguage(view.answers.language);
    return [
      say(
        t`The form can’t be read any more, so the interview continues with the form that it began with: ${why}`,
        {language},
      ),
    ];
  }
  const {questionnaire} = form;
  if (questionnaireDigest(questionnaire) !== questionnaireDigest(view.questionnaire)) {
    run.send({type: 'form.changed', questionnaire});
  }
  return [];
}
