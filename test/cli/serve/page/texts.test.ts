/** The interview understands the texts that the page sends, in each language. */

import {expect, test} from 'vitest';

import {languageNames, textsFor} from '../../../../cli/serve/page/browser/texts/texts.ts';
import type {FormField} from '../../../../machines/questionnaire/questionnaire.ts';
import {checkAnswer, readReply, readSetting} from '../../../../tools/interview/index.ts';

const field: FormField = {
  id: 'permit',
  label: 'Permit',
  type: 'boolean',
  required: false,
  sensitivity: 'none',
  order: 1,
  why: 'For the contract.',
};
const base = {fields: [field], done: [], at: Date.UTC(2026, 2, 4)};

test.each(['en', 'ja'])('suggested replies are understood: %s', async (language) => {
  const {say, name} = textsFor(language);
  const routeOf = async (text: string, about: {field: string} | {paused: true}) =>
    (await readReply({...base, text, about, language})).route.kind;
  const valueOf = async (text: string) =>
    (
      await checkAnswer({
        field,
        facts: [],
        replies: [{text}],
        known: {},
        language,
        at: base.at,
      })
    ).value;
  expect({
    skip: await routeOf(say.skip, {field: field.id}),
    why: await routeOf(say.why, {field: field.id}),
    goOn: await routeOf(say.goOn, {paused: true}),
    yes: await valueOf(say.yes),
    no: await valueOf(say.no),
    name: (await readSetting({section: 'language', text: name})).value,
  }).toEqual({skip: 'skip', why: 'why', goOn: 'continue', yes: true, no: false, name: language});
  expect(languageNames).toContain(name);
});
