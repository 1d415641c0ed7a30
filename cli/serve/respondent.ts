/** What whoever begins a submission says of its respondent, as far as it is a language, a country or a time zone. */

import {type Respondent, sections} from '../../machines/questionnaire/answers.ts';
import {readSetting} from '../../tools/interview/read-setting.ts';

/** What is no such thing is left out: it is asked. */
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
