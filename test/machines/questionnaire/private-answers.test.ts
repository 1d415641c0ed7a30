import {assert, constantFrom, property, stringMatching} from 'fast-check';
import {expect, test} from 'vitest';

import {createPrivacy, masked} from '../../../machines/questionnaire/private-answers.ts';

const fields = [
  {id: 'name', sensitivity: 'none'},
  {id: 'passport', sensitivity: 'secret'},
];

function recordOf(value: string | number, quote: string) {
  return {passport: {status: 'done', value, quote, facts: {}, history: [], replies: []}};
}

const answer = stringMatching(/^[A-Z0-9][A-Za-z0-9 .+*-]{2,30}[A-Z0-9]$/);
const around = constantFrom('', ' ', ', ', '「', '：', '"', '\n', '(', '番号は');

test('no private answer is left in any text, wherever it is quoted', () => {
  assert(
    property(answer, answer, around, around, (value, quote, before, after) => {
      const privacy = createPrivacy({fields}, {fields: recordOf(value, quote)});
      const text = `${before}${value}${after} ${before}${quote}${after}`;
      const shown = privacy.data({message: text, list: [{deep: text}], value});
      const left = JSON.stringify(shown).replaceAll(masked, '');
      expect(left).not.toContain(JSON.stringify(value).slice(1, -1));
      expect(left).not.toContain(JSON.stringify(quote).slice(1, -1));
    }),
  );
});

test('a corrected answer stays masked, and so does a number', () => {
  const record = {...recordOf(4815162, 'about 4,815,162').passport, history: [{value: 'X7777777'}]};
  const {data} = createPrivacy({fields}, {fields: {passport: record}});
  expect(data({text: 'X7777777 became 4815162', found: {value: 4815162}})).toEqual({
    text: `${masked} became ${masked}`,
    found: {value: masked},
  });
});

test('other words stay unchanged, even if they contain a private answer', () => {
  const {text, data} = createPrivacy({fields}, {fields: recordOf('Ann1', 'Ann1')});
  expect(text('Annabel, Ann12 and XAnn1')).toBe('Annabel, Ann12 and XAnn1');
  expect(data({field: 'name', value: 'Bob', count: 3})).toEqual({
    field: 'name',
    value: 'Bob',
    count: 3,
  });
});

test('a reply to a private field is masked entirely, an agent’s message only where it quotes the reply', () => {
  const said = [
    {from: 'agent', field: 'passport', text: 'Is 4711 right?'},
    {from: 'person', field: 'passport', text: '4711'},
  ];
  expect(createPrivacy({fields}, said).data(said)).toEqual([
    {from: 'agent', field: 'passport', text: `Is ${masked} right?`},
    {from: 'person', field: 'passport', text: masked},
  ]);
});

test('the record of a private field has no answer, however short it is', () => {
  const [record, other] = [
    recordOf(47, '47').passport,
    {...recordOf(47, '47').passport, by: 'rules'},
  ];
  const {data} = createPrivacy({fields});
  expect(data({fields: {passport: record, name: other}})).toEqual({
    fields: {passport: {...record, value: masked, quote: masked}, name: other},
  });
});
