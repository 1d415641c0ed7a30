/** Private answers: shown to the respondent and written to the answers file, but to no other output. */

import {readFileSync} from 'node:fs';
import {join} from 'node:path';

import {beforeEach, expect, test} from 'vitest';

import type {Logger} from '../../../actors/logger.ts';
import {openForms} from '../../../cli/serve/forms.ts';
import {masked} from '../../../machines/questionnaire/private-answers.ts';
import {runLine, type Ran} from '../../support/command-line.ts';
import {fill} from '../../support/filling.ts';
import {ownerToken, serveHere} from '../../support/serving.ts';
import {putIn, setFolder} from '../folders.ts';
import {linesOf} from '../texts.ts';

const form = `id = "visa"
title = "Visa"
[[fields]]
id = "name"
label = "Name"
required = true
[[fields]]
id = "passport"
label = "Passport number"
required = true
sensitivity = "secret"
[[fields]]
id = "income"
label = "Income"
type = "integer"
required = true
sensitivity = "personal"
[[facts]]
field = "passport"
key = "expiry"
fact = "The year in which it expires"
done_criteria = "a number"
`;
/** The first number is corrected; the year is a fact; the income is a number in JSON. */
const secrets = ['X7777777', 'Y8888888', '20931'];
const personal = '4815162';
const replies = [
  'Bob',
  'X7777777, it expires in 20931',
  '4815162',
  'no, my passport number is Y8888888, it expires in 20931',
];

const folder = setFolder();
beforeEach(() => void putIn(folder(), 'visa.toml', form));

function leaksIn(...texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => [...secrets, personal].filter((canary) => text.includes(canary)));
}

async function run(args: readonly string[], ...lines: readonly string[]): Promise<Ran> {
  const env = {HOME: folder(), QUORATE_HOME: join(folder(), 'data')};
  return await runLine([...args, '-C', folder()], env, linesOf(lines));
}

const log = () => join(folder(), 'log.jsonl');

async function interview(output: string, ...lines: readonly string[]): Promise<Ran> {
  const known = ['--lang', 'en', '--country', 'Japan', '--timezone', 'Asia/Tokyo'];
  const file = ['--answers', join(folder(), 'answers.json')];
  const words = ['interview', join(folder(), 'visa.toml'), ...known, ...file];
  return await run([...words, '--output', output, '--log', log()], ...lines);
}

/** The complete output of every command that shows the run. */
async function looks(): Promise<string[]> {
  const {out} = await run(['sessions', '--output', 'json']);
  const id = /"id": ?"(\w+)"/.exec(out)?.[1] ?? '';
  expect(id).not.toBe('');
  const ways = ['text', 'json', 'jsonl'];
  const shown = await Promise.all(
    ways.flatMap((way) => [run(['show', id, '--output', way]), run(['sessions', '--output', way])]),
  );
  return shown.map(({out: stdout, err}) => stdout + err);
}

test.each([
  ['that waits for the confirmation', replies, 4],
  ['that is submitted', [...replies, 'submit'], 0],
])(
  'an interview %s shows secret ones in the answers file only, and personal ones also in the answers of its result',
  async (_, lines, wanted) => {
    const {code, out, err} = await interview('jsonl', ...lines);
    expect(code).toBe(wanted);
    const events = out
      .trim()
      .split('\n')
      .map((line): Record<string, unknown> => JSON.parse(line));
    expect(events.at(-1)).toMatchObject({
      answers: {answers: {name: {value: 'Bob'}, passport: {value: masked, quote: masked}}},
    });
    const kept = readFileSync(join(folder(), 'answers.json'), 'utf8');
    expect(['Y8888888', '4815162'].filter((answer) => !kept.includes(answer))).toEqual([]);
    const {answers, ...result} = events.at(-1) ?? {};
    expect(leaksIn(JSON.stringify(answers))).toEqual([personal]);
    const others = events.slice(0, -1).map((event) => JSON.stringify(event));
    expect(leaksIn(JSON.stringify(result), ...others, err)).toEqual([]);
    expect(leaksIn(readFileSync(log(), 'utf8'), ...(await looks()))).toEqual([]);
  },
);

test.each(['text', 'json', 'jsonl'])(
  'no secret one is printed as %s: while an interview waits, when it is resumed and has ended, and in show',
  async (output) => {
    const printed: string[] = [];
    const print = async (args: readonly string[], ...lines: readonly string[]) => {
      const {code, out, err} = await run([...args, '--output', output], ...lines);
      printed.push(out, err);
      return code;
    };
    const waiting = await interview(output, ...replies);
    expect(waiting).toMatchObject({code: 4});
    expect(await print(['resume'])).toBe(4);
    expect(await print(['show'])).toBe(0);
    const [resumed, again] = ['resumed.json', 'again.json'].map((name) => join(folder(), name));
    expect(await print(['resume', '--answers', resumed ?? ''], 'submit')).toBe(0);
    expect(await print(['show'])).toBe(0);
    const id = /^(\w+) /.exec((await run(['show'])).out)?.[1] ?? '';
    expect(await print(['resume', id, '--answers', again ?? ''])).toBe(0);
    const leaks = new Set(leaksIn(waiting.out, waiting.err, ...printed));
    expect([...leaks]).toEqual(output === 'text' ? [] : [personal]);
    for (const file of [resumed, again]) {
      expect(readFileSync(file ?? '', 'utf8')).toContain('Y8888888');
    }
  },
);

test('a server shows them to the respondent and in exports, not in lists and logs', async () => {
  const logged: string[] = [];
  const take = (message: string, context?: object) =>
    void logged.push(`${message} ${JSON.stringify(context)}`);
  const logger: Logger = {debug: take, info: take, warn: take, error: take};
  const forms = await openForms(folder(), logger);
  const server = await serveHere(folder(), {logger, forms, runtime: {logger}});
  try {
    const respondent = {language: 'en', country: 'JP', timezone: 'Asia/Tokyo'};
    const filling = await fill(server.ask, 'visa', respondent);
    const asOwner = async (path: string) =>
      JSON.stringify((await server.ask(path, {token: ownerToken})).json);
    for (const text of replies) await filling.say(text);
    expect(JSON.stringify((await filling.look()).json)).toContain('Passport number: Y8888888');
    const open = await asOwner('/v1/forms/visa/submissions');
    await filling.confirm();
    const submitted = await asOwner('/v1/forms/visa/submissions');
    expect(logged.join('\n')).toContain('interview.submitted');
    const state = await asOwner(`/v1/interactions/${filling.id}`);
    expect(state).toContain(masked);
    expect(leaksIn(state)).toEqual([personal]);
    expect(leaksIn(open, submitted, ...logged)).toEqual([]);
    expect(JSON.stringify((await filling.look('/export')).json)).toContain('Y8888888');
  } finally {
    await server.close();
  }
});
