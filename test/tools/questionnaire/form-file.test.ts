/** Form files: the forms read from them, and the messages for unreadable files. */

import {readdirSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';

import {expect, it} from 'vitest';

import {
  type FormFile,
  readFormFile,
  readWorkspaceForm,
} from '../../../tools/questionnaire/form-file.ts';
import {createPlace} from '../place.ts';

const forms = 'test/fixtures/forms';

function problemsOf(form: FormFile): readonly string[] {
  return form.kind === 'read' ? [] : form.problems;
}

/** A file with this name and text. */
async function readingOf(name: string, text: string): Promise<FormFile> {
  const {put, workspace} = createPlace();
  put(name, text);
  return await readWorkspaceForm(workspace, name);
}

it.each(readdirSync(forms).filter((name) => name.includes('.')))('reads %s', async (name) => {
  expect(problemsOf(await readFormFile(join(forms, name)))).toEqual([]);
});

it('reports the mistakes of a form with their places, in the order of the file', async () => {
  expect(problemsOf(await readFormFile(`${forms}/broken/slips.toml`))).toEqual([
    `${forms}/broken/slips.toml:2:1: titel: unknown key; did you mean "title"?`,
    `${forms}/broken/slips.toml:7:1: fields[0].type: takes text, number, integer, date, email, url, phone, boolean, choice, choices, not "e-mail"; did you mean "email"?`,
    `${forms}/broken/slips.toml:12:1: fields[1].pattern: has a lookahead, a lookbehind or a backreference; write it without (?=…), (?<=…) and \\1, so that it is matched in linear time`,
    `${forms}/broken/slips.toml:13:1: fields[1].relevant_if: there is no field "emial"; did you mean "email"?`,
    `${forms}/broken/slips.toml:15:3: facts[0].fact: is missing; it takes a text`,
  ]);
  expect(problemsOf(await readFormFile(`${forms}/broken/circle.toml`))).toEqual([
    `${forms}/broken/circle.toml:3:40: fields[0].relevant_if: depends on itself: chicken → egg → chicken`,
  ]);
});

it.each([
  ['a.toml', 'id = "a"\ntitle = "A\n', 'a.toml:2:11: this is not valid TOML: '],
  ['a.json', '{"id": "a",\n "fields": [1,]}', 'a.json:2:15: this is not valid JSON: expected a'],
  [
    'a.json',
    '{"id": "a",\n "id": "b"}',
    'a.json:2:2: this is not valid JSON: the key "id" appears',
  ],
  ['a.json', '\uFEFF{"fields": 3}', 'a.json:1:2: fields: takes a list, not 3'],
  ['a', ' {"fields": 3}', 'a:1:3: fields: takes a list, not 3'],
  ['a', 'fields = 3', 'a:1:1: fields: takes a list, not 3'],
  [
    'a.toml',
    String.raw`fields = [{id = "x", label = "X", pattern = '(?<x>a{1001})'}]`,
    'a.toml:1:35: fields[0].pattern: is not an RE2 pattern: invalid repeat count: `{1001}`',
  ],
])('%s with %j: %s…', async (name, text, problem) => {
  const [found = ''] = problemsOf(await readingOf(name, text));
  expect(found.slice(0, problem.length)).toBe(problem);
});

it('reports a file that is not UTF-8', async () => {
  const {put, workspace} = createPlace();
  put('a.toml', Buffer.from('\uFEFFtitle = "日本"', 'utf16le'));
  expect(problemsOf(await readWorkspaceForm(workspace, 'a.toml'))).toEqual([
    'a.toml is text, but not in UTF-8 (26 bytes, perhaps utf-16); convert it first',
  ]);
});

it('uses the name of the file as the id of a form without one', async () => {
  const text = 'fields = [{id = "x", label = "X"}]';
  expect(await readingOf('forms/job application.toml', text)).toMatchObject({
    questionnaire: {id: 'job-application', title: 'job-application'},
  });
  expect(await readingOf('-.toml', text)).toMatchObject({questionnaire: {id: 'form'}});
});

it('reads unquoted days', async () => {
  const text = 'fields = [{id = "x", label = "X", type = "date", min = 2026-01-31}]';
  expect(await readingOf('a.toml', text)).toMatchObject({
    questionnaire: {fields: [{min: '2026-01-31'}]},
  });
});

it('warns of possible oversights of an author', async () => {
  const text = `
[[fields]]
id = "size"
label = "Size"
relevant_if = "email is not blank"

[[fields]]
id = "email"
label = "Size"
why = "For the decision"
sensitivity = "personal"

[[facts]]
field = "email"
key = "owner"
fact = "Whose it is"
done_criteria = "it is plausible"

[[facts]]
field = "email"
key = "since"
fact = "Since when"
done_criteria = "a date"
`;
  expect(await readingOf('a.toml', text)).toMatchObject({
    warnings: [
      'a.toml:2:3: fields: no field is required = true: an empty form can be submitted',
      'a.toml:2:3: fields[0]: "size" has no intent: the reason for asking it can\'t be explained',
      'a.toml:5:1: fields[0].relevant_if: "email", on which "size" depends, is asked after it',
      `a.toml:9:1: fields[1].label: "Size" names another field, too: a correction can't distinguish them`,
      'a.toml:17:1: facts[0].done_criteria: only a model can judge “it is plausible”: without one, any text that is not blank is accepted; “email” is personal, and its answers are sent to a model for that',
    ],
  });
});

it('reports a missing or unreadable file', async () => {
  const {put, workspace, outside} = createPlace();
  const path = put('folder/form.toml', 'fields = [{id = "x", label = "X"}]');
  symlinkSync(path, join(workspace, 'link.toml'));
  symlinkSync(join(outside, 'secret.txt'), join(workspace, 'out.toml'));
  expect(await readFormFile('nowhere.toml')).toEqual({
    kind: 'absent',
    problems: ['there is no file nowhere.toml'],
  });
  expect(await readFormFile(workspace)).toEqual({
    kind: 'invalid',
    problems: [`${workspace} is a folder, not a form`],
  });
  expect(await readFormFile(join(workspace, 'link.toml'))).toMatchObject({kind: 'read'});
  expect(await readWorkspaceForm(workspace, 'link.toml')).toMatchObject({kind: 'read'});
  expect(await readWorkspaceForm(workspace, 'gone.toml')).toMatchObject({kind: 'absent'});
  expect(problemsOf(await readWorkspaceForm(workspace, 'out.toml'))).toEqual([
    'out.toml is a link that leads out of the workspace',
  ]);
  expect(await readWorkspaceForm(workspace, '../outside/secret.txt')).toMatchObject({
    kind: 'invalid',
  });
});
