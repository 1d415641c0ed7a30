/** Forms over HTTP: a form's description, new submissions of it, and its owner's lists and exports. */

import type {SubmissionRecord} from '../../../actors/journal/submissions.ts';
import type {Submissions} from '../../../actors/submissions/submissions.ts';
import {AppError} from '../../../machines/domain/app-error.ts';
import {type KnownRespondent, sections} from '../../../machines/questionnaire/answers.ts';
import {readSetting} from '../../../tools/interview/read-setting.ts';
import {type Device, withLikely} from '../../../tools/interview/settings.ts';
import type {Forms} from '../forms.ts';
import {checked, refusal, route, type Route, routeWithBody} from './route.ts';
import {
  createdSubmission,
  form,
  formList,
  listQuery,
  newSubmission,
  submissionList,
} from './schemas.ts';

const path = '/v1/forms/{form}';
const pageQuery = {
  after: 'The id of the last submission received; the list begins after it.',
  limit: 'The maximum number: 100 by default, at most 1000.',
};

/** An export holds at most this many submissions in memory. */
const exportedAtOnce = 20;

export function formRoutes(forms: Forms, submissions: Submissions): Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/forms',
      summary: 'The served forms.',
      access: 'owner',
      replies: {200: {text: 'The forms, by name.', schema: formList}},
      answer: async () => Response.json({forms: (await forms.list()).map(headOf)}),
    }),
    route({
      method: 'get',
      path,
      summary: 'The title of a form.',
      access: 'anyone',
      replies: {200: {text: 'Its title.', schema: form}},
      answer: async ({params: {form: name = ''}}) => {
        const found = await forms.find(name);
        return found ? Response.json(headOf(found)) : noForm(name);
      },
    }),
    routeWithBody({
      method: 'post',
      path: `${path}/submissions`,
      headers: {'Accept-Language': 'The language of the respondent, unless the body gives one.'},
      summary: 'Begins a submission of a form.',
      detail:
        'The token is returned only here; the respondent needs it for all requests on the submission. Given details of the respondent are not asked for.',
      access: 'anyone',
      body: newSubmission,
      replies: {
        201: {
          text: 'The submission is created; its first question is included.',
          schema: createdSubmission,
        },
      },
      answer: async ({params: {form: name = ''}, request}, respondent) => {
        const found = await forms.find(name);
        if (!found) return noForm(name);
        const {standing, token} = await submissions.open(
          found.name,
          found.questionnaire,
          await knownOf(respondent, request.headers.get('accept-language')),
        );
        const {id, state, messages} = standing;
        return Response.json({id, token, state, messages}, {status: 201});
      },
    }),
    ...ownerRoutes(forms, submissions),
  ];
}

function ownerRoutes(forms: Forms, {list, read}: Submissions): Route[] {
  const access = 'owner';
  return [
    route({
      method: 'get',
      path: `${path}/submissions`,
      summary: 'The submissions of a form, the oldest first.',
      access,
      query: pageQuery,
      replies: {200: {text: 'The submissions, without their messages.', schema: submissionList}},
      errors: {400: 'The parameters of the page are invalid.'},
      answer: async ({params: {form: name = ''}, url}) => {
        const page = checked(listQuery, Object.fromEntries(url.searchParams));
        if (!page.ok) return page.reply;
        const rows = await list(await nameOf(name, forms), page.value);
        return Response.json({submissions: rows.map(rowOf)});
      },
    }),
    route({
      method: 'get',
      path: `${path}/export`,
      summary: 'The answers of all submissions of a form, complete or not: a line each.',
      access,
      replies: {
        200: {
          text: 'Each line is the export of one submission.',
          type: 'application/x-ndjson',
        },
      },
      answer: async ({params: {form: name = ''}}) => {
        const lines = linesOf(await nameOf(name, forms), {list, read});
        const body = ReadableStream.from(lines).pipeThrough(new TextEncoderStream());
        return new Response(body, {headers: {'content-type': 'application/x-ndjson'}});
      },
    }),
  ];
}

/** A chunk for each page, whose submissions are read at the same time. */
async function* linesOf(
  name: string,
  {list, read}: Pick<Submissions, 'list' | 'read'>,
): AsyncGenerator<string> {
  for await (const records of pagesOf(name, list)) {
    const lines = await Promise.all(records.map(async ({id}) => await lineOf(id, read)));
    yield lines.flatMap((line) => (line ? [`${JSON.stringify(line)}\n`] : [])).join('');
  }
}

function pagesOf(
  name: string,
  list: Submissions['list'],
): AsyncIterable<readonly SubmissionRecord[]> {
  let after: string | undefined;
  const next = async (): Promise<IteratorResult<readonly SubmissionRecord[], undefined>> => {
    const records = await list(name, {after, limit: exportedAtOnce});
    after = records.at(-1)?.id;
    return after === undefined ? {done: true, value: undefined} : {done: false, value: records};
  };
  return {[Symbol.asyncIterator]: () => ({next})};
}

/** A submission that can't be read becomes a line with the error. Undefined for one that was erased meanwhile. */
async function lineOf(id: string, read: Submissions['read']): Promise<object | undefined> {
  try {
    return (await read(id)).answers;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const {code, message} = error;
    return code === 'not_found' ? undefined : {submission: id, error: {code, message}};
  }
}

/** Submissions of a form that is no longer served are found by the name of its file. */
async function nameOf(name: string, forms: Forms): Promise<string> {
  return (await forms.find(name))?.name ?? name;
}

function headOf({
  name,
  questionnaire: {title, description},
}: {
  readonly name: string;
  readonly questionnaire: {readonly title: string; readonly description?: string};
}) {
  return {form: name, title, ...(description === undefined ? {} : {description})};
}

function rowOf({id, state, createdAt, updatedAt}: SubmissionRecord) {
  return {id, state, createdAt, updatedAt};
}

function noForm(name: string): Response {
  return refusal(404, 'not_found', `there is no form ${name.slice(0, 100)}`);
}

// The language, country and time zone of a respondent, at the beginning of a submission.

interface Given {
  readonly language?: string | undefined;
  readonly country?: string | undefined;
  readonly timezone?: string | undefined;
  readonly device?: Device | undefined;
}

/** Leaves out an invalid value. `accepted`: the header `Accept-Language`. */
async function knownOf(given: Given, accepted: string | null): Promise<KnownRespondent> {
  const readings = sections.map(async (section) => {
    const text = given[section]?.trim() ?? '';
    const {value} = text === '' ? {} : await readSetting({section, text});
    return value === undefined ? [] : [[section, value] as const];
  });
  const stated = Object.fromEntries((await Promise.all(readings)).flat());
  const [first] = (accepted ?? '').split(/[,;]/);
  return withLikely(stated, {locale: first?.trim(), ...given.device});
}
