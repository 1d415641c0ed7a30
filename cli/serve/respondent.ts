/** The language, country and time zone of a respondent, at the beginning of a submission. */

import {type KnownRespondent, sections} from '../../machines/questionnaire/answers.ts';
import {readSetting} from '../../tools/interview/read-setting.ts';
import {type Device, withLikely} from '../../tools/interview/settings/likely.ts';

interface Given {
  readonly language?: string | undefined;
  readonly country?: string | undefined;
  readonly timezone?: string | undefined;
  readonly device?: Device | undefined;
}

/** Leaves out an invalid value. `accepted`: the header `Accept-Language`. */
export async function knownOf(given: Given, accepted: string | null): Promise<KnownRespondent> {
  const readings = sections.map(async (section) => {
    const text = given[section]?.trim() ?? '';
    const {value} = text === '' ? {} : await readSetting({section, text});
    return value === undefined ? [] : [[section, value] as const];
  });
  const stated = Object.fromEntries((await Promise.all(readings)).flat());
  const [first] = (accepted ?? '').split(/[,;]/);
  return withLikely(stated, {locale: first?.trim(), ...given.device});
}
