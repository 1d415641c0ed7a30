/** Days of the week, relative to today. */

import {expect, test} from 'vitest';

import {pairs} from '../../support/rows.ts';
import {check, type CheckOptions, fieldOf} from './check.ts';

async function dateIn(text: string, options: CheckOptions = {}): Promise<unknown> {
  const {value, problems} = await check(fieldOf('date'), text, options);
  return value ?? problems.join(' ');
}

test.each(
  pairs(`
  Friday ⇒ 2026-11-27 ¦ next Friday, please ⇒ 2026-11-27 ¦ this coming Monday ⇒ 2026-11-23
  Wednesday next week ⇒ 2026-11-25 ¦ next week on Wednesday ⇒ 2026-11-25
  next Sunday ⇒ 2026-11-29 ¦ last Monday ⇒ Is that 16 November 2026 or 9 November 2026?
  金曜日 ⇒ 2026-11-27 ¦ 来週の金曜日 ⇒ 2026-11-27 ¦ 再来週の火曜 ⇒ 2026-12-01
  先週の金曜日 ⇒ 2026-11-13
`),
)('on a Sunday, %s is %s', async (text, date) => expect(await dateIn(text)).toBe(date));

test.each(
  pairs(`
  Friday ⇒ 2026-11-27 ¦ next Friday ⇒ Is that 27 November 2026 or 4 December 2026?
  次の金曜日 ⇒ Is that 27 November 2026 or 4 December 2026? ¦ Friday next week ⇒ 2026-12-04
  今週の金曜日 ⇒ 2026-11-27 ¦ 来週の金曜日 ⇒ 2026-12-04
  Monday ⇒ Is that 23 November 2026 or 30 November 2026? ¦ next Monday ⇒ 2026-11-30
`),
)('on a Monday, %s is %s', async (text, date) => {
  const timezone = 'Pacific/Kiritimati';
  expect(await dateIn(text, {timezone})).toBe(date);
});

test.each([
  ['the second one', '2026-12-04'],
  ['27 November', '2026-11-27'],
  ['December', '2026-12-04'],
  ['tomorrow', '2026-11-24'],
])('asked which Friday, %j is %s', async (reply, date) => {
  const options = {timezone: 'Pacific/Kiritimati'};
  const reading = await check(fieldOf('date'), ['next Friday', reply], options);
  expect(reading).toMatchObject({value: date, problems: []});
});
