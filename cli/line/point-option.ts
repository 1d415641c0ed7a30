/** Options that name a point of a run. */

import type {Option} from './option.ts';

const forms = {
  en: 'an entry (12), plan.2, vote.3, gate.1, task:write, or a time (2026-11-28T09:30)',
  ja: 'エントリー（12）、plan.2、vote.3、gate.1、task:write、または時刻（2026-11-28T09:30）',
};

/** An option that takes a point. */
export function pointOption(
  name: string,
  text: {readonly en: string; readonly ja: string},
): Option {
  return {
    name,
    takes: 'POINT',
    text: {en: `${text.en}:\n${forms.en}`, ja: `${text.ja}:\n${forms.ja}`},
  };
}
