/** Several changes in one reply: each is applied, or reported as not understood. */

import {expect, test} from 'vitest';

import type {ReplyReading, ReplyToRead} from '../../../machines/questionnaire/answer-reading.ts';
import type {FormField} from '../../../machines/questionnaire/questionnaire.ts';
import {readReply} from '../../../tools/interview/index.ts';
import {fieldOf, noon} from './check.ts';

const fields: readonly FormField[] = [
  fieldOf('text', {id: 'name', label: 'Full name'}),
  fieldOf('email', {id: 'email', label: 'Email address'}),
  fieldOf('choices', {id: 'topics', label: 'Topics', choices: ['optics', 'acoustics']}),
  fieldOf('integer', {id: 'people', label: 'Number of people'}),
  fieldOf('text', {id: 'allergies', label: 'Allergies'}),
  fieldOf('boolean', {id: 'terms', label: 'Terms and conditions'}),
  fieldOf('integer', {id: 'ninzu', label: '人数'}),
  fieldOf('choices', {id: 'bunya', label: '興味のある分野', choices: ['光学', '音響']}),
];

async function read(text: string, about: ReplyToRead['about']): Promise<ReplyReading['route']> {
  const done = fields.map(({id}) => id);
  const {route} = await readReply({text, about, fields, done, country: 'JP', at: noon});
  return route;
}

test.each([
  [
    'change the number of people to 5 and topics to acoustics',
    ['people', '5'],
    ['topics', 'acoustics'],
  ],
  ['people should be 5, email should be bob@x.org', ['people', '5'], ['email', 'bob@x.org']],
  ['Looks good, but change 4 to 5 and 2 to bob@x.org', ['people', '5'], ['email', 'bob@x.org']],
  ['4: 5\n2: bob@x.org', ['people', '5'], ['email', 'bob@x.org']],
  [
    'No, change topics to optics and acoustics, and people to 5',
    ['topics', 'optics and acoustics'],
    ['people', '5'],
  ],
  [
    'change people to 5 and allergies to nuts and soy',
    ['people', '5'],
    ['allergies', 'nuts and soy'],
  ],
  ['change the name and change the email', ['name'], ['email']],
  ['人数を5人に、分野を音響に変えてください', ['ninzu', '5人'], ['bunya', '音響']],
  ['人数を5人に変更して、分野は光学と音響です。', ['ninzu', '5人'], ['bunya', '光学と音響']],
])('%j changes both', async (text, ...changes) => {
  const [first, ...more] = changes.map(([field, said]) =>
    said === undefined ? {field} : {field, text: said},
  );
  expect(await read(text, {confirmation: true})).toEqual({kind: 'correct', ...first, more});
});

test('an unknown field is named, without its value', async () => {
  const text = 'change the number of people to 5 and the colour to red';
  expect(await read(text, {confirmation: true})).toEqual({
    kind: 'correct',
    field: 'people',
    text: '5',
    unread: ['colour'],
  });
});

test.each([
  ['change topics to optics and acoustics', {field: 'topics', text: 'optics and acoustics'}],
  ['change Terms and conditions to no', {field: 'terms', text: 'no'}],
  ['change the name to Ann and Bob', {field: 'name', text: 'Ann and Bob'}],
])('%j is one change', async (text, change) => {
  expect(await read(text, {confirmation: true})).toEqual({kind: 'correct', ...change});
});

test('during a question about a field, its own change comes last', async () => {
  const text = 'change people to 5 and email to bob@x.org';
  expect(await read(text, {field: 'people'})).toEqual({
    kind: 'correct',
    field: 'email',
    text: 'bob@x.org',
    more: [{field: 'people', text: '5'}],
  });
});
