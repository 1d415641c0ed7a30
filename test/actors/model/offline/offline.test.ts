/** The offline model: whole runs of its recipes on real files, its refusals, and its answers to questions. */

import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import * as fc from 'fast-check';
import {afterAll, describe, expect, test} from 'vitest';

import {createRuntime} from '../../../../actors/index.ts';
import {createOfflineModel} from '../../../../actors/model/offline/offline.ts';
import {nearExample, recipes, taskFor} from '../../../../actors/model/offline/recipes.ts';
import type {ModelOutcome, ModelRequest} from '../../../../machines/domain/model.ts';
import type {RunResult} from '../../../../machines/domain/result.ts';
import {taskMessage} from '../../../../machines/forms/agent/execution/task.ts';
import {planMessage} from '../../../../machines/forms/agent/planning/planning.ts';
import {askMessage} from '../../../../machines/forms/ask/ask.ts';
import {attachedSection} from '../../../../machines/prompts/sections.ts';
import {openTranscript} from '../../../../machines/prompts/transcript.ts';
import {messageSections} from '../../../../machines/tree/messages.ts';
import {context, plainRequest} from '../../../support/model-call.ts';
import {type Files, folderWith, putFiles} from '../../../support/stage.ts';

const model = createOfflineModel();

async function call(purpose: ModelRequest['purpose'], message: string): Promise<ModelOutcome> {
  const transcript = openTranscript(message);
  return await model.call({...plainRequest, model: model.name, purpose, transcript}, context);
}

const shop: Files = {
  'package.json': '{"name": "shop"}\n',
  'README.md': '# Shop\n\n<!-- TODO prices -->\nThe shop sells every colour. No TODO here.\n',
  'src/shop.js': '// TODO: colour of colours\nexport const retryLimit = 5;\nlet s = "FIXME";\n',
  'src/util.py': 'x = 1  # FIXME exit code\n',
  'docs/guide.md': 'colour a.b aXb\n',
  'docs/hours.md': '# 東京店\n\n営業時間は午前10時からです。\n',
  'notes.txt': 'same\nsame',
  'ignored.txt': 'kept\n',
  '.gitignore': 'ignored.txt\n',
};

const runtime = createRuntime({env: {}, config: {agent: {hil_mode: 'auto_reject'}}});

afterAll(() => runtime.close());

function filesIn(folder: string): Record<string, string> {
  const entries = readdirSync(folder, {recursive: true, withFileTypes: true});
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({parentPath, name}) => join(parentPath, name));
  return Object.fromEntries(
    paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  );
}

/** The result of a whole run, and the files that it changed; `undefined` for removed ones. */
async function run(request: string, more: Files = {}) {
  const files = {...shop, ...more};
  const folder = folderWith(files);
  const result = await runtime.agent(request, {workspace: folder}).result;
  const now = filesIn(folder);
  const paths = [...new Set([...Object.keys(files), ...Object.keys(now)])];
  const changed = paths.filter((path) => now[path] !== files[path]?.toString());
  const changes = Object.fromEntries(changed.map((path) => [path, now[path]]));
  return {status: result.status, said: reportIn(result), changes};
}

function reportIn({summary, tasks = []}: RunResult): string {
  return [summary, ...tasks.map(({failure, output}) => failure?.message ?? output)].join('\n');
}

const todos = `# TODO and FIXME

- README.md:3: <!-- TODO prices -->
- src/shop.js:1: // TODO: colour of colours
- src/util.py:1: x = 1  # FIXME exit code
`;

type Change = readonly [english: string, japanese: string, changes: Record<string, unknown>];

const changing: readonly Change[] = [
  [
    'Create a file a/b.txt with the content "Hello"',
    'a/b.txt を「Hello」という内容で作成してください。',
    {'a/b.txt': 'Hello\n'},
  ],
  [
    'Please append the line "Done." to notes.txt.',
    'notes.txtに「Done.」を追加して',
    {'notes.txt': 'same\nsame\nDone.\n'},
  ],
  [
    'Replace "a.b" with "$&" in docs',
    'docs の「a.b」を「$&」に置き換えて',
    {'docs/guide.md': 'colour $& aXb\n'},
  ],
  [
    'Replace "colour" with "color" in *.js',
    '*.js の「colour」を「color」に置き換えて',
    {'src/shop.js': String(shop['src/shop.js']).replaceAll('colour', 'color')},
  ],
  ['Delete notes.txt', 'notes.txt を削除して', {'notes.txt': undefined}],
  [
    'Move notes.txt to new/notes.txt',
    'notes.txt を new/notes.txt に移動して',
    {'notes.txt': undefined, 'new/notes.txt': 'same\nsame'},
  ],
  [
    'Collect all TODO and FIXME comments into TODO.md',
    'TODO と FIXME を TODO.md にまとめて',
    {'TODO.md': todos},
  ],
  ['Run `mkdir d && echo x > d/x`', '`mkdir d && echo x > d/x` を実行して', {'d/x': 'x\n'}],
];

describe('a request that is understood', () => {
  test.each(changing)('“%s” and “%s” change the same files', async (english, japanese, changes) => {
    for (const request of [english, japanese]) {
      const ended = await run(request);
      expect(ended).toStrictEqual({status: 'completed', said: expect.any(String), changes});
    }
  });

  test('content after a colon is taken as it is', async () => {
    const {changes} = await run('Create a.md with the text: # A\n\n"x" and y.');
    expect(changes).toStrictEqual({'a.md': '# A\n\n"x" and y.\n'});
  });

  test('a text is replaced everywhere, and files that were not searched are named', async () => {
    const more = {'jp.txt': Buffer.from([0x78, 0xff])};
    const {said, changes} = await run('Replace "colour" with "color"', more);
    expect(Object.keys(changes)).toEqual(['README.md', 'src/shop.js', 'docs/guide.md']);
    expect(changes['src/shop.js']).toContain('// TODO: color of colors');
    expect(said).toContain('… 1 file not searched, text that is not UTF-8: jp.txt');
  });

  test('a line is appended to an empty file, and to a file too long to be read at once', async () => {
    const long = 'a line of the file\n'.repeat(3_000);
    const more = {'long.txt': `${long}last\n`, 'empty.txt': ''};
    expect((await run('Append "end" to long.txt', more)).changes).toEqual({
      'long.txt': `${long}last\nend\n`,
    });
    expect((await run('Append "end" to empty.txt', more)).changes).toEqual({'empty.txt': 'end\n'});
  });

  test('an overview describes the files, and the next one replaces it with the same text', async () => {
    const request = 'Write an overview of this repository to OVERVIEW.md';
    const {changes} = await run(request);
    const text = changes['OVERVIEW.md'] ?? '';
    expect(text).toMatch(/^# Overview\n\n7 files\n/);
    for (const part of ['- `.md`: 3\n', '- `docs/`: 2\n', 'every colour', '    {"name": "shop"}'])
      expect(text).toContain(part);
    expect(await run(request, {'OVERVIEW.md': 'old\n'})).toMatchObject({changes});
    const japanese = await run('このリポジトリの概要を OVERVIEW.md に書いて');
    expect(japanese.changes['OVERVIEW.md']).toMatch(/^# 概要\n\nファイル 7 個\n/);
  });

  test('what is too long for one result is not taken for all there is', async () => {
    const paths = Array.from({length: 190}, (_, n) => `${'a long name '.repeat(8)}${n}.txt`);
    const more = Object.fromEntries(paths.map((path) => [path, 'a flavour\n']));
    const {changes} = await run('Write an overview of this repository to OVERVIEW.md', more);
    expect(changes['OVERVIEW.md']).toMatch(/^# Overview\n\n1\d\d\+ files\n/);
    const {said, changes: none} = await run('Replace "flavour" with "flavor"', more);
    expect([none, said]).toEqual([{}, expect.stringContaining('; too many to list')]);
  });

  test('the output of a command is reported', async () => {
    expect((await run('Run `cat notes.txt`')).said).toContain('same');
    expect(await run('Run `cat none.txt`')).toMatchObject({status: 'failed', changes: {}});
  });
});

describe('a request that cannot be carried out changes nothing and says why', () => {
  test.each([
    ['Create notes.txt with "x"', /notes\.txt exists already/],
    ['notes.txt を「x」という内容で作成して', /notes\.txt はすでにあります/],
    ['Create ignored.txt with "x"', /evidence\/overwrite-unread/],
    ['Move notes.txt to docs/guide.md', /docs\/guide\.md exists already/],
    ['Move notes.txt to ignored.txt', /exited with code 1/],
    ['Move none.txt to b.txt', /none\.txt/],
    ['Delete none.txt', /exited with code 1/],
    ['Append "x" to none.txt', /none\.txt/],
    ['Replace "unicorn" with "x"', /“unicorn”: 0 matches/],
    ['Replace "colour" with "x" in none', /none/],
  ])('%s', async (request, why) => {
    const {status, said, changes} = await run(request);
    expect({status, changes}).toEqual({
      status: expect.stringMatching(/^(?:failed|rejected)$/),
      changes: {},
    });
    expect(said).toMatch(why);
  });

  test('a text in more lines than a search lists is replaced nowhere', async () => {
    const {status, said, changes} = await run('Replace "w" with "x"', {'w.txt': 'w\n'.repeat(300)});
    expect({status, changes}).toEqual({status: 'failed', changes: {}});
    expect(said).toContain('the first 200 shown');
  });
});

function planFor(request: string, more: Partial<Parameters<typeof planMessage>[0]> = {}) {
  const brief = {request, background: [], rounds: [], runs: [], maxResults: 9000, ...more};
  return call('plan', planMessage(brief));
}

async function refusalOf(request: string): Promise<string[]> {
  const outcome = await planFor(request);
  if (outcome.kind !== 'ok' || outcome.calls.length > 0) throw new Error('it was not refused');
  return outcome.text.split('\n');
}

const examples = recipes.flatMap(({en, ja}) => [en[0], ja[0]]);

describe('a request that is not understood', () => {
  test('is one with any word more than an example', () => {
    const words = fc.constantFrom(...'too and not src everywhere も ではなく "x"'.split(' '));
    fc.assert(
      fc.property(fc.constantFrom(...examples), words, fc.boolean(), (example, word, isFirst) => {
        expect(taskFor(example)).toBeDefined();
        expect(taskFor(isFirst ? `${word} ${example}` : `${example} ${word}`)).toBeUndefined();
      }),
    );
  });

  test.each([
    'Fix the login bug',
    'Delete the docs folder now',
    'こんにちは',
    '',
    'Replace "x" with "x"',
  ])(
    '“%s” is refused in at most three lines, with the way to a language model last',
    async (request) => {
      const lines = await refusalOf(request);
      expect(lines.length).toBeLessThanOrEqual(3);
      expect(lines.at(-2)).toMatch(/needs a language model|言語モデルが必要です/);
      expect(lines.at(-1)).toMatch(/ANTHROPIC_API_KEY.*-m/);
    },
  );

  test.each([
    ['Append Done. to notes.txt', 'Append the line "Done." to notes.txt'],
    ['delete all logs', 'Delete notes.txt'],
    ['古い行を削除してください', 'notes.txt を削除して'],
    ['Where is the retry limit?', 'quorate ask "Where is the retry limit?"'],
    ['ポートはどこですか', 'quorate ask "ポートはどこですか"'],
  ])('“%s” is near to “%s”, which the first line names', async (request, near) => {
    const lines = await refusalOf(request);
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(new RegExp(`: ${RegExp.escape(near)}$`));
  });

  test('every example is the nearest one to itself', () => {
    expect(examples.map(nearExample)).toEqual(examples);
  });

  test('is also one with an attachment or a later message', async () => {
    const attached = attachedSection([{name: 'a.txt', text: 'x'}]);
    const later = messageSections([{from: 'person', text: 'wait'}], 900);
    expect(await planFor('Delete notes.txt')).toMatchObject({calls: [{name: 'create_plan'}]});
    expect(await planFor('Delete notes.txt', {background: [attached]})).toMatchObject({calls: []});
    expect(await planFor('Delete notes.txt', {pendingMessages: later})).toMatchObject({
      calls: [],
      text: expect.stringMatching(/ignored later messages/),
    });
  });
});

test('it does no task that is not of its own plan', async () => {
  const request = 'Append "x" to notes.txt';
  const message = (id: string, description: string) =>
    taskMessage({
      request,
      plan: {objective: 'x'},
      task: {id, description, context_mode: 'full'},
      background: [],
      earlier: '',
    });
  expect(await call('act', message('do', request))).toMatchObject({calls: [{name: 'read_file'}]});
  expect(await call('act', message('do', 'Erase it'))).toMatchObject({kind: 'refused'});
  expect(await call('act', message('other', request))).toMatchObject({kind: 'refused'});
});

test('it abstains from votes, free of charge', async () => {
  expect(await call('review-plan', '# Request\nx')).toMatchObject({
    calls: [{name: 'cast_ballot', args: {verdict: 'abstain'}}],
    usage: {costUsd: 0},
  });
});

describe('a question', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-questions-'));
  const path = join(folder, 'sales.sqlite');
  putFiles(folder, shop);
  const database = new DatabaseSync(path);
  database.exec(`CREATE TABLE orders (id INTEGER PRIMARY KEY, city TEXT);
    INSERT INTO orders (city) VALUES ('東京'), ('Osaka'), (NULL)`);
  database.close();
  const asking = createRuntime({env: {}, config: {database: {path}}});

  afterAll(async () => {
    await asking.close();
    rmSync(folder, {recursive: true, force: true});
  });

  test.each([
    ['What is (17 ** 3 - 1) // 7 % 100?', /^\(17 \*\* 3 - 1\) \/\/ 7 % 100 = 1$/],
    ['2 ** 10 はいくつですか？', /^2 \*\* 10 = 1024$/],
    ['How many orders are there?', /^orders\n3\n\nSELECT count\(\*\) AS orders FROM orders$/],
    ['orders は何件？', /^orders\n3\n/],
    ['SELECT id, city FROM orders', /^id {2}city\n1 {3}東京\n2 {3}Osaka\n3 {3}null$/],
    [
      'Where is the retry limit of the shop?',
      /quotes[^]*src\/shop\.js:2: export const retryLimit = 5;/,
    ],
    ['営業時間は？', /引用[^]*\[1\] docs\/hours\.md:\d[^]*営業時間は午前10時から/],
    ['2025-01-01', /^The offline model only quotes/],
  ])('“%s” is answered', async (question, answer) => {
    const {status, answer: text} = await asking.ask(question, {workspace: folder}).result;
    expect(status).toBe('completed');
    expect(text).toMatch(answer);
  });

  test('a query with a mistake fails with the reason', async () => {
    const {status, summary} = await asking.ask('SELECT zork', {workspace: folder}).result;
    expect(status).not.toBe('completed');
    expect(summary).toMatch(/no such column: zork/);
  });

  test('about an attachment is answered by its lines with words of the question, or its first lines', async () => {
    const attachments = [{name: 'log', text: 'all fine\nERROR: disk full\n'}];
    const about = (question: string) => call('ask', askMessage({question, attachments}));
    expect(await about('Which errors are there?')).toMatchObject({
      text: expect.stringMatching(/log: 2 lines\n\n> ERROR: disk full$/),
    });
    expect(await about('What is this?')).toMatchObject({
      text: expect.stringMatching(/> all fine\n> ERROR: disk full$/),
    });
  });
});
