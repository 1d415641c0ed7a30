/** Questionnaires read from the data of forms. */

import * as fc from 'fast-check';
import {expect, it} from 'vitest';

import {
  readForm,
  readQuestionnaire,
} from '../../../machines/questionnaire/questionnaire-reading.ts';
import {
  type Questionnaire,
  questionnaireDigest,
} from '../../../machines/questionnaire/questionnaire.ts';

const shirt = {
  id: 'shirt',
  title: 'Shirts',
  fields: [
    {id: 'name', label: 'Name', required: true, sensitivity: 'personal'},
    {id: 'size', label: 'Size', type: 'choice', choices: ['S', 'M', 'L'], order: 0},
    {id: 'fit', label: 'Fit', relevant_if: "size = 'L'", intent: 'To choose the cut'},
  ],
  facts: [{field: 'fit', key: 'why', fact: 'The reason', done_criteria: 'not blank'}],
};

function read(data: unknown): Questionnaire {
  const reading = readQuestionnaire(data);
  if (!reading.ok) throw new Error(reading.problems.join('\n'));
  return reading.value;
}

function problemsOf(data: unknown): readonly string[] {
  const reading = readQuestionnaire(data);
  return reading.ok ? [] : reading.problems;
}

function problemsOfFields(...fields: readonly object[]): readonly string[] {
  const named = fields.map((field, index) => Object.assign({id: `f${index}`, label: 'F'}, field));
  return problemsOf({id: 'form', fields: named});
}

it('fills in defaults and sorts the fields', () => {
  expect(read(shirt)).toEqual({
    id: 'shirt',
    title: 'Shirts',
    fields: [
      {
        id: 'size',
        label: 'Size',
        required: false,
        type: 'choice',
        choices: ['S', 'M', 'L'],
        sensitivity: 'none',
        order: 0,
      },
      {id: 'name', label: 'Name', required: true, type: 'text', sensitivity: 'personal', order: 1},
      {
        id: 'fit',
        label: 'Fit',
        required: false,
        type: 'text',
        sensitivity: 'none',
        order: 3,
        relevantIf: "size = 'L'",
        intent: 'To choose the cut',
      },
    ],
    facts: [{field: 'fit', key: 'why', fact: 'The reason', doneCriteria: 'not blank'}],
  });
});

it('uses the given name as the id and the title of a form that lacks them', () => {
  const {id: _, title: __, ...nameless} = shirt;
  expect(readForm(nameless, 'order')).toMatchObject({
    ok: true,
    questionnaire: {id: 'order', title: 'order'},
  });
  expect(readForm(shirt, 'order')).toMatchObject({questionnaire: {id: 'shirt', title: 'Shirts'}});
});

it('reads the rows of a session: fieldId and sortOrder, factKey and formFieldId, null for absent', () => {
  const rows = {
    fields: [
      {id: '17', fieldId: 'b', label: 'B', intent: null, required: true, sortOrder: 2},
      {id: '18', fieldId: 'a', label: 'A', intent: 'Why', required: false, sortOrder: 1},
    ],
    facts: [
      {
        id: '1',
        formFieldId: '17',
        factKey: 'k',
        fact: 'F',
        doneCriteria: 'a number',
        questioningHints: null,
      },
      {id: '2', formFieldId: 'a', factKey: 'k', fact: 'F', doneCriteria: 'a date'},
    ],
  };
  expect(read(rows)).toMatchObject({
    id: 'form',
    fields: [
      {id: 'a', intent: 'Why', order: 1},
      {id: 'b', required: true, order: 2},
    ],
    facts: [
      {field: 'b', key: 'k', doneCriteria: 'a number'},
      {field: 'a', key: 'k'},
    ],
  });
});

it('names unknown keys, wrong values and missing ones, each with its place', () => {
  const form = {
    id: 'a b',
    titel: 'A',
    fields: [
      {id: 'x', label: 'X', type: 'chioce', chioces: ['S']},
      {label: 3, min: true, order: 'first', required: 'yes'},
      'name',
    ],
    facts: [{field: 'x', key: 'k', fact: ' '}],
  };
  expect(problemsOf(form)).toEqual([
    'id: is not an id: use letters, digits and _, and . and - between them',
    'fields[0].type: takes text, number, integer, date, email, url, phone, boolean, choice, choices, not "chioce"; did you mean "choice"?',
    'fields[0].chioces: unknown key; did you mean "choices"?',
    'fields[1].id: is missing; it takes a text',
    'fields[1].label: takes a text, not 3',
    'fields[1].required: takes true or false, not "yes"',
    'fields[1].min: takes a number, or a day in quotes',
    'fields[1].order: takes a number, not "first"',
    'fields[2]: takes a table of keys, not "name"',
    'facts[0].fact: is blank',
    'titel: unknown key; did you mean "title"?',
  ]);
  expect(problemsOf(3)).toEqual(['takes a table of keys, not 3']);
  expect(problemsOf({id: 'a', fields: []})).toEqual(['fields: is empty']);
});

it('requires unique ids, and facts about existing fields', () => {
  const form = {
    id: 'a',
    fields: [
      {id: 'email', label: 'E'},
      {id: 'email', label: 'E'},
      {id: 'not', label: 'N'},
    ],
    facts: [
      {field: 'emial', key: 'k', fact: 'F'},
      {field: 'email', key: 'k', fact: 'F'},
      {field: 'email', key: 'k', fact: 'G'},
    ],
  };
  const reserved = 'fields[2].id: is a word of relevant_if; choose another id';
  expect(problemsOf(form)[0]).toBe(reserved);
  const others = problemsOf(form).slice(1);
  form.fields.pop();
  expect(problemsOf(form)).toEqual(others);
  expect(others).toEqual([
    'fields[1].id: "email" occurs twice',
    'facts[0].field: there is no field "emial"; did you mean "email"?',
    'facts[2].key: "email.k" occurs twice',
  ]);
});

it('checks the readable parts of an entry that has other problems', () => {
  const form = {
    fields: [
      {id: 'a', label: 'A', type: 'txt', min: 'x', choices: ['b']},
      {label: 'No id', pattern: '('},
      {id: 'c', label: 'C', type: 'choice', lable: 'C'},
      {id: 'd', label: 'D', relevant_if: 'a = 3', min: -1},
      3,
    ],
    facts: [
      {field: 'c', fact: 'F'},
      {field: 'z', key: 'k', fact: 'F', hint: 'H'},
    ],
  };
  const places = problemsOf({id: 'form', ...form}).map((problem) => problem.split(', ')[0]);
  expect(places).toEqual([
    'fields[0].type: takes text',
    'fields[1].id: is missing; it takes a text',
    'fields[2].lable: unknown key; did you mean "label"?',
    'fields[4]: takes a table of keys',
    'facts[0].key: is missing; it takes a text',
    'facts[1].hint: unknown key',
    'fields[1].pattern: is not an RE2 pattern: Unterminated group',
    'fields[2].choices: is missing; a field of type choice takes a list of texts',
    'fields[3].min: must be at least 0',
    'facts[1].field: there is no field "z"; did you mean "a"?',
  ]);
});

it('requires choices for the choice types, and refuses them for other types', () => {
  expect(problemsOfFields({type: 'choice', choices: []})).toEqual(['fields[0].choices: is empty']);
  expect(
    problemsOfFields({type: 'choice'}, {choices: ['A']}, {type: 'choices', choices: ['Y', 'y ']}),
  ).toEqual([
    'fields[0].choices: is missing; a field of type choice takes a list of texts',
    'fields[1].choices: a field of type text takes none; write type = "choice", or "choices" for several',
    'fields[2].choices[1]: "y" occurs twice',
  ]);
});

it('requires patterns that match in linear time, and only on fields with text', () => {
  expect(
    problemsOfFields(
      {pattern: '(a'},
      {pattern: '(?=a)b'},
      {pattern: String.raw`(a)\1`},
      {pattern: '(?<!a)b'},
      {type: 'date', pattern: 'a'},
      {pattern: String.raw`(?i)[A-Z]{2}\-\d+\\1`},
      {pattern: String.raw`(?<year>\d{4})`, type: 'phone'},
    ),
  ).toEqual([
    expect.stringMatching(/^fields\[0\]\.pattern: is not an RE2 pattern: Unterminated group$/),
    ...[1, 2, 3].map((index) =>
      expect.stringContaining(
        `fields[${index}].pattern: has a lookahead, a lookbehind or a backreference`,
      ),
    ),
    'fields[4].pattern: a field of type date takes none; text, email, url and phone do',
  ]);
});

it('requires bounds that fit the type and each other', () => {
  expect(
    problemsOfFields(
      {type: 'number', min: 1.5, max: 1},
      {type: 'integer', min: 1.5},
      {type: 'date', min: '2026-02-29'},
      {type: 'date', min: 'today', max: '2028-02-29'},
      {type: 'date', min: '2028-01-01', max: '2027-12-31'},
      {min: -1},
      {type: 'number', max: '9'},
      {type: 'boolean', min: 0},
      {type: 'choices', choices: ['A', 'B'], min: 1, max: 2},
    ),
  ).toEqual([
    'fields[0].min: 1.5 is more than max, 1',
    'fields[1].min: must be a whole number in a field of type integer',
    'fields[2].min: must be a day (YYYY-MM-DD) or today',
    'fields[4].min: 2028-01-01 is more than max, 2027-12-31',
    'fields[5].min: must be at least 0',
    'fields[6].max: must be a number in a field of type number',
    'fields[7].min: a field of type boolean takes none',
  ]);
});

it('requires conditions on existing fields, with values that these fields can have', () => {
  const size = {id: 'size', type: 'choice', choices: ['small', 'large']};
  expect(
    problemsOfFields(
      size,
      {relevant_if: "size = 'smal'"},
      {relevant_if: 'size >'},
      {relevant_if: "sise in ('small') or size not in ('small', 'huge')"},
      {id: 'own', relevant_if: 'own = 1'},
      {id: 'age', type: 'integer', relevant_if: "size > 'small'"},
      {id: 'day', type: 'date', relevant_if: "age = '30'"},
      {relevant_if: "day > '2026-02-30' or day < 'today'"},
    ),
  ).toEqual([
    `fields[1].relevant_if: "size", of type choice, is never 'smal'; did you mean "small"?`,
    'fields[2].relevant_if: expected a value: a text in quotes, a number, true or false, found the end',
    'fields[3].relevant_if: there is no field "sise"; did you mean "size"?',
    `fields[3].relevant_if: "size", of type choice, is never 'huge'`,
    `fields[4].relevant_if: "own" can't depend on itself`,
    'fields[5].relevant_if: "size", of type choice, has no order; > is for numbers and dates',
    `fields[6].relevant_if: "age", of type integer, is never '30'; compare it with a number`,
    `fields[7].relevant_if: "day", of type date, is never '2026-02-30'; write 'YYYY-MM-DD'`,
    `fields[7].relevant_if: "day", of type date, is never 'today'; write 'YYYY-MM-DD'`,
  ]);
});

it('names the cycle of fields that depend on each other', () => {
  expect(
    problemsOfFields(
      {id: 'a', relevant_if: 'b'},
      {id: 'b', relevant_if: 'free and c'},
      {id: 'c', relevant_if: 'not a'},
      {id: 'free'},
    ),
  ).toEqual(['fields[0].relevant_if: depends on itself: a → b → c → a']);
});

it('finds no cycle among many fields that converge on one', () => {
  const fields = Array.from({length: 200}, (_, index) => ({
    id: `f${index}`,
    ...(index < 2 ? {} : {relevant_if: `f${index - 1} or f${index - 2}`}),
  }));
  expect(problemsOfFields(...fields)).toEqual([]);
});

it('distinguishes versions of a form only by their content', () => {
  const digest = questionnaireDigest(read(shirt));
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  const turned = Object.fromEntries(Object.entries(shirt).toReversed());
  expect(questionnaireDigest(read(turned))).toBe(digest);
  expect(questionnaireDigest(read({...shirt, title: 'Shirts!'}))).not.toBe(digest);
});

it('reads its own output back unchanged', () => {
  const questionnaire = read(shirt);
  expect(read(JSON.parse(JSON.stringify(questionnaire)))).toEqual(questionnaire);
});

it('never throws for any data', () => {
  const entry = fc.dictionary(
    fc.constantFrom('id', 'label', 'type', 'choices', 'min', 'relevant_if', 'fieldId', 'pattern'),
    fc.oneof(fc.jsonValue(), fc.constantFrom('choice', 'date', 'f', ['A'])),
  );
  const form = fc.record({id: fc.string(), fields: fc.array(entry), facts: fc.array(entry)});
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), form), (data) => {
      const reading = readQuestionnaire(data);
      const again = reading.ok ? readQuestionnaire(reading.value) : reading;
      expect(again).toEqual(reading);
    }),
  );
});
