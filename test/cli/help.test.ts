/** The help, and lines that can not run, of every command: exit 2 and one message in the language of the screen. */

import {globSync, readFileSync, readdirSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {PassThrough} from 'node:stream';
import {text as textOf} from 'node:stream/consumers';

import {expect, test, beforeAll, describe} from 'vitest';

import {printFailure} from '../../cli/failure.ts';
import {helpText, helpTopics, topics, writeHelp} from '../../cli/help/text.ts';
import {decisionOption, readDecisionFlag} from '../../cli/line/decision-flag.ts';
import {widthOfText} from '../../cli/render/text.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {messageText} from '../../machines/message.ts';
import {runLine, type Ran} from '../support/command-line.ts';
import {setFolder} from './folders.ts';
import {rowsOf, wordsOf} from './texts.ts';

const japanese = /[ぁ-んァ-ン一-龠]/;

async function flat(topic?: string): Promise<string> {
  return (await helpText(topic)).replaceAll(/\s+/g, ' ');
}

test('every topic is printed under its name', async () => {
  for (const [name, topic] of Object.entries(topics)) {
    expect(await helpText(name)).toContain(messageText(topic));
  }
});

test('every topic that a text or a page refers to exists', async () => {
  const files = globSync(['README.md', '{cli,actors,machines,tools}/**/*.{ts,md}']);
  const named = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/quorate help ([a-z][a-z-]+)/g)].map(
      ([, name]) => name,
    ),
  );
  expect(new Set(named).difference(new Set(await helpTopics()))).toEqual(new Set());
  expect(named).toContain('gate');
});

test('a topic that shares the name of a command is followed by the help of the command', async () => {
  expect(await flat('models')).toMatch(
    /^Models are named .*\[providers\.mine\].* Usage: quorate models /,
  );
});

test('lists every decision of the command line', async () => {
  const {text} = decisionOption;
  for (const value of ['approve', 'always', 'reject', 'edit:FILE', 'retry', 'done', 'fail']) {
    expect(value).toMatch(readDecisionFlag(value).decision);
    expect(messageText(text ?? '')).toMatch(new RegExp(String.raw`(?:^|, )${value}`, 'm'));
  }
});

test.each(['en', 'ja'] as const)(
  'the first screen in %s is 24 lines of 80 columns',
  async (language) => {
    const lines = (await helpText(undefined, {language})).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(lines.filter((line) => widthOfText(line) > 80)).toEqual([]);
  },
);

test('the first screen names commands and options that help all lists, the same in both languages', async () => {
  const [en = [], ja] = [await helpText(), await helpText(undefined, {language: 'ja'})].map(
    namesIn,
  );
  const all = await flat('all');
  expect(en).toEqual(expect.arrayContaining(['discuss', 'undo', '-C', '--hil', '--timeout']));
  expect(en.filter((name) => !all.includes(` ${name} `) && !all.includes(` ${name},`))).toEqual([]);
  expect(ja).toEqual(en);
});

/** The commands of the left column, and the options. */
function namesIn(screen: string): readonly string[] {
  const [, ...rows] = screen.split('\n  ');
  const left = rows.map((line) => line.slice(0, 29));
  const names = [
    ...left.flatMap((text) => text.match(/(?<=quorate |, )[a-z]+/g) ?? []),
    ...(screen.match(/(?<!\S)--?[A-Za-z][a-z-]*/g) ?? []),
  ];
  return [...new Set(names)];
}

async function shownOn(columns: number): Promise<string> {
  const stdout = Object.assign(new PassThrough(), {isTTY: true, columns});
  await writeHelp({stdout}, 'all');
  return String(stdout.read());
}

test.each([60, 100])(
  'on a terminal of %i columns no word of the help is broken',
  async (columns) => {
    const shown = await shownOn(columns);
    expect(shown.replaceAll(/\s+/g, ' ')).toBe(await flat('all'));
    expect(shown.split('\n').filter((line) => line.length > columns)).toEqual([]);
  },
);

test('the continuation of a column is below its beginning', async () => {
  expect(await shownOn(100)).toMatch(/\n {2}runs [^ ]+ +list the newest runs[^\n]*\n {28}\S/);
});

const pages = [undefined, ...(await helpTopics())];

test.each(pages)('the page %s is in Japanese on request, on lines that fit', async (topic) => {
  const [en, ja] = [await helpText(topic), await helpText(topic, {language: 'ja'})];
  expect(ja).toMatch(japanese);
  expect(ja).not.toBe(en);
  expect(ja).not.toMatch(/^(?:Usage|Also|Commands|Options)\b/m);
  for (const text of [en, ja]) {
    expect(text.split('\n').filter((line) => widthOfText(line) > 125)).toEqual([]);
  }
  const stdout = Object.assign(new PassThrough(), {isTTY: true, columns: 80});
  await writeHelp({stdout, language: 'ja'}, topic);
  const lines = String(stdout.read()).split('\n');
  const long = lines.filter((line) => widthOfText(line) > 80 && / \S+ \S/.test(line.slice(40)));
  expect(long).toEqual([]);
});

const folder = setFolder(true);

beforeAll(() => writeFileSync(join(folder(), 'notes.md'), '# Notes\n'));

async function refused(line: string, ...more: readonly string[]): Promise<Ran> {
  const env = {HOME: folder(), QUORATE_HOME: join(folder(), 'data'), XDG_CONFIG_HOME: folder()};
  return await runLine(['-C', folder(), ...more, ...wordsOf(line)], env);
}

/** The line, its message, and a part of it in Japanese. */
const usage = rowsOf(String.raw`
stats --limit 0 ⇒ --limit takes a number from 1, not "0"
stats --since yesterday ⇒ --since takes an age such as 24h, 7d or 2w, or a day such as
stats --since 2026-02-30 ⇒ --since takes an age
stats --output csv ⇒ --output takes text, json, jsonl, not "csv"
verify ⇒ quorate verify needs
verify nothing ⇒ there is no run nothing
verify ./nothing.jsonl ⇒ nothing.jsonl can't be read: ENOENT
verify x --key nothing.pem ⇒ nothing.pem can't be read: ENOENT
prune --yes ⇒ needs an ID or a criterion: --older AGE, --larger SIZE or --form FORM
prune abc --older 30d --yes ⇒ takes IDs or criteria, not both
prune --older 30d ⇒ without a terminal, quorate prune needs --yes
prune --older 30 --yes ⇒ --older takes an age such as 12h, 30d or 8w, not "30"
prune --larger big --yes ⇒ --larger takes a size such as 500kb, 10mb or 1gb
prune --form agnet --yes ⇒ did you mean "agent"?
inspect --port 99999 ⇒ a number from 0 to 65535, not "99999" ⇒ "99999" は使えません
inspect --port 80x ⇒ a number from 0 to 65535, not "80x" ⇒ "80x" は使えません
inspect --port -1 ⇒ a number from 0 to 65535, not "-1" ⇒ "-1" は使えません
inspect --html a.html --stately ⇒ --stately ⇒ --stately とは使えません
inspect --stately --port 0 ⇒ --port ⇒ --port とは使えません
inspect nobody ⇒ there is no run nobody ⇒ 実行 nobody はありません
inspect a b ⇒ "a b"
inspect --stately ⇒ there is no run in
inspect --html a.html ⇒ there is no run in
serve --port x ⇒ --port takes a number from 0 to 65535, not "x"
serve --port 65536 ⇒ --port takes a number
serve --rate 0 ⇒ --rate takes a number
chat Write ⇒ quorate chat takes no words except an ID after --resume
chat --resume ⇒ --resume needs an ID; see: quorate runs
chat --resume nothing ⇒ there is no conversation nothing
chat --continue Write ⇒ --continue resumes the latest conversation; another one: --resume ID
policy ⇒ name a command
policy "  " ⇒ name a command
policy npm test ⇒ policy takes
discuss Why? --rule unanimous ⇒ quorate discuss takes no --rule
discuss " " ⇒ the question is empty; write: quorate discuss
ask "  " ⇒ the question is empty
ask --decision approve x ⇒ quorate resume
--frobnicate "do it" ⇒ --frobnicate
--rule most "do it" ⇒ majority
resume nosuchrun ⇒ nosuchrun
panel m6583sexcihz ⇒ use quorate stats
--completion csh ⇒ --completion takes bash, zsh, fish, not "csh"
show --bogus ⇒ --bogus
reviw ⇒ review
--scope fsat x ⇒ fast
show a b ⇒ only the ID of a run
resume --reason x ⇒ --reason goes with --decision
help nothing ⇒ no help on "nothing"
mutants x.ts ⇒ quorate mutants was removed
lint --rule nothing x.ts ⇒ nothing
diagram --format svg ⇒ --format needs a machine
paths no-such-machine ⇒ no-such-machine
lint no-such-machine ⇒ no-such-machine
review --diff a --base b ⇒ --base
review --scope plan-only ⇒ --scope takes full, fast, not "plan-only"
recount nothing ⇒ there is no run nothing
`);

test.each(usage)('%s', async (line = '', message = '', part = '') => {
  const {code, out, err} = await refused(line);
  expect([code, out]).toEqual([2, '']);
  expect(err.replaceAll(/\s+/g, ' ')).toContain(message);
  expect(err).not.toMatch(japanese);
  const translated = await refused(line, '--lang', 'ja');
  expect([translated.code, translated.out]).toEqual([2, '']);
  expect(translated.err).toMatch(japanese);
  expect(translated.err).toContain(part);
});

/** Errors of the configuration and of models. */
const others = rowsOf(String.raw`
ask --db none.sqlite x ⇒ none\.sqlite: there is no such file
ask --db notes.md x ⇒ notes\.md
ask -m ask=gpt-5.2 x ⇒ OPENAI_API_KEY
ask --docs ../**/*.md x ⇒ search\.paths.*climbs
discuss Why? -m participants=policy/safety ⇒ can only review; name a model
discuss Why? -m moderator=nobody/x ⇒ nobody
-m nowhere/model "do it" ⇒ nowhere
-m claude-sonnet-4.5 "do it" ⇒ ANTHROPIC_API_KEY
--rule at_least:5 "do it" ⇒ at_least:5.*3
-C /nowhere/at/all "do it" ⇒ nowhere\/at\/all
review --base main ⇒ not a git repository
`);

test.each(others)('%s, in one line', async (line = '', message = '') => {
  const {code, out, err} = await refused(line);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(new RegExp(message, 's'));
  expect(err.trim().split('\n')).toHaveLength(1);
});

test('no line has begun a run or written a file', async () => {
  expect((await refused('sessions --all')).out).toMatch(/no runs yet/);
  expect(readdirSync(folder()).filter((name) => name !== 'data')).toEqual(['notes.md']);
});

test.each([
  '--help',
  'help gate',
  'resume -h',
  'reviw',
  'resume --reason x',
  'diagram --format svg',
])('%s: LANG decides the language, and the flag wins', async (line) => {
  const words = wordsOf(line);
  const ja = await runLine(words, {LANG: 'ja_JP.UTF-8'});
  expect(ja.out + ja.err).toMatch(japanese);
  expect(await runLine(['--lang', 'ja', ...words], {LANG: 'C'})).toEqual(ja);
  const en = await runLine(['--lang', 'en', ...words], {LANG: 'ja_JP.UTF-8'});
  expect(en).toEqual(await runLine(words, {}));
  expect(en.out + en.err).not.toMatch(/[ぁ-ん]/);
});

const secret = 'sk-canary-123456';

async function failureOutput(
  error: unknown,
  verbose = false,
  output: 'text' | 'json' | 'jsonl' = 'text',
) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const [out, err] = [textOf(stdout), textOf(stderr)];
  const terminal = {
    stdin,
    stdout,
    stderr,
    env: {QUORATE_HOME: join(folder(), 'data'), TEST_API_KEY: secret},
  };
  const code = await printFailure(error, {terminal, verbose, output, form: 'ask'});
  stdout.end();
  stderr.end();
  return {code, out: await out, err: await err};
}

describe('an expected failure', () => {
  test('is one escaped line with exit 2', async () => {
    expect(await failureOutput(new AppError('busy', 'run x is\u001b[2J\nbusy'))).toEqual({
      code: 2,
      out: '',
      err: 'quorate: run x is\\x1b[2J busy\n',
    });
  });

  test.each(['json', 'jsonl'] as const)(
    'ends %s with a result that has the error',
    async (output) => {
      const {out} = await failureOutput(new AppError('credentials', 'set X'), false, output);
      expect(JSON.parse(out)).toMatchObject({
        type: 'result',
        form: 'ask',
        status: 'error',
        exitCode: 2,
        error: {code: 'credentials', message: 'set X'},
      });
    },
  );
});

describe('a bug', () => {
  test('names the file of its trace, which has no secret', async () => {
    const error = new Error(`broke with ${secret}`, {cause: new Error('Bearer abc.def')});
    const {code, err} = await failureOutput(error);
    const file = join(folder(), 'data/errors.jsonl');
    expect(code).toBe(2);
    expect(err).toBe(
      `quorate: internal error: broke with [secret]\nthe trace is in ${file}; -v shows it here\n`,
    );
    const kept = readFileSync(file, 'utf8');
    expect(kept).not.toContain(secret);
    expect(kept).not.toContain('abc.def');
    expect(kept).toContain('help.test.ts');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('shows its trace with -v', async () => {
    expect((await failureOutput(new Error('oops'), true)).err).toContain('help.test.ts');
  });
});
