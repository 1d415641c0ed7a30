/** The language, country and time zone of a respondent, given at the begin of a submission. */

import {type Respondent, sections} from '../../machines/questionnaire/answers.ts';
import {readSetting} from '../../tools/interview/read-setting.ts';

/** Leaves out an invalid value: the interview asks for it. */
export async function knownOf(given: {
  readonly language?: string | undefined;
  readonly country?: string | undefined;
  readonly timezone?: string | undefined;
}): Promise<Respondent> {
  const readings = sections.map(async (section) => {
    const text = given[section]?.trim() ?? '';
    const {value} = text === '' ? {} : await readSetting({section, text});
    return value === undefined ? [] : [[section, value] as const];
  });
  return Object.fromEntries((await Promise.all(readings)).flat());
}
