/** Questions to the offline model: about a folder, a database and in a discussion. */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterAll, describe, expect, test} from 'vitest';

import {createRuntime} from '../../../../actors/index.ts';
import {
  concludedByRule,
  quotedFor,
  rankedByRule,
} from '../../../../actors/model/offline/questions/discussing.ts';
import {readTable} from '../../../../actors/model/offline/questions/tables.ts';
import type {ModelReply} from '../../../../machines/domain/model.ts';
import {askMessage} from '../../../../machines/forms/ask/prompt.ts';
import {backgroundOf} from '../../../../machines/forms/discuss/background.ts';
import {
  chairMessage,
  participantMessage,
  readerMessage,
} from '../../../../machines/forms/discuss/prompt.ts';
import {appendMessages, openTranscript} from '../../../../machines/prompts/transcript.ts';
import {sampled} from '../../../support/depth.ts';
import {cells, pairs} from '../../../support/rows.ts';
import {english, japanese} from './requests.ts';
import {callOffline, createFolder, createSales, questionsTree} from './worlds.ts';

const runtimes: {close: () => Promise<unknown>}[] = [];

describe('about a folder', () => {
  afterAll(async () => await Promise.all(runtimes.map((runtime) => runtime.close())));

  test.each(sampled([...english, ...japanese], 3))(
    '$asked',
    async ({asked, says, never = /^$/}) => {
      const folder = createFolder(questionsTree);
      const path = join(folder.path, 'sales.sqlite');
      const isOfTables = asked.includes('sales.sqlite');
      if (isOfTables) createSales(path);
      const runtime = createRuntime({env: {}, config: isOfTables ? {database: {path}} : {}});
      runtimes.push(runtime);
      const {answer = ''} = await runtime.ask(asked, {workspace: folder.path}).result;
      for (const pattern of says) expect(answer).toMatch(pattern);
      expect(answer).not.toMatch(never);
    },
  );
});

const salesFolder = mkdtempSync(join(tmpdir(), 'quorate-sales-'));

const salesPath = join(salesFolder, 'sales.sqlite');

const salesRuntime = createRuntime({env: {}, config: {database: {path: salesPath}}});

async function answerTo(question: string): Promise<string> {
  const {status, answer = ''} = await salesRuntime.ask(question, {workspace: salesFolder}).result;
  expect(status).toBe('completed');
  return answer;
}

describe('about a database', () => {
  createSales(salesPath);

  afterAll(async () => {
    await salesRuntime.close();
    rmSync(salesFolder, {recursive: true, force: true});
  });

  test.each(
    sampled(
      [
        ['How many orders are there?', '4'],
        ['How many orders did Bob make?', '2'],
        ['How many orders did Bob make in 2025?', '2'],
        ['How many orders are cancelled?', '1'],
        ['How many are cancelled?', '1'],
        ['How many did Bob make?', '2'],
        ['How many live in Tokyo?', '1'],
        ['How many customers are in Tokyo?', '1'],
        ['How many customers live in New York?', '1'],
        ['How many customers ordered in 2025?', '2'],
        ['Total 2025?', '70.5'],
        ['What is the total amount in 2025?', '70.5'],
        ['What is the average order amount?', '25.125'],
        ['What is the largest order?', '40'],
        ['顧客は何人？', '3'],
        ['注文は何件ですか？', '4'],
        ['2025年の注文の合計金額は？', '70.5'],
        ['大阪の顧客は何人ですか？', '1'],
      ],
      6,
    ),
  )('the answer to %j is %s, with the query', async (question, value) => {
    const [first, , read] = (await answerTo(question)).split('\n');
    expect(first).toBe(value);
    expect(read).toMatch(/^The question was read as: SELECT /);
  });

  test.each(
    sampled(
      [
        ['How many orders per customer?', ['Bob 2', 'Ann Lee 1', '鈴木 1']],
        ['Total amount per customer', ['Ann Lee 40', 'Bob 30.5', '鈴木 30']],
        ['count orders by status', ['paid 2', 'cancelled 1', 'open 1']],
        ['Orders per city', ['Tokyo 2', 'New York 1', '大阪 1']],
        ['顧客ごとの注文の件数は？', ['Bob 2', 'Ann Lee 1', '鈴木 1']],
        ['List all customers', ['1 Bob Tokyo', '2 鈴木 大阪', '3 Ann Lee New York']],
        ['Customers in Tokyo?', ['1 Bob Tokyo']],
        ['List the orders of Ann Lee', ['4 3 2025-05-05 40 open']],
      ],
      6,
    ),
  )('the answer to %j is a table', async (question, rows) => {
    const [table = ''] = (await answerTo(question)).split('\n\n');
    const [, ...lines] = table.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' '));
    expect(lines).toEqual(rows);
  });

  test('the tables are listed with their columns', async () => {
    expect(await answerTo('Show the tables')).toBe(
      'customers (id, name, city)\norders (id, customer_id, ordered, amount, status)',
    );
  });

  test.each(
    sampled(
      [
        ['How many orders did Zed make?', /no value “Zed”/],
        ['How many orders are not cancelled?', /no value “not cancelled”/],
        ['How many orders are there and who made them?', /no value “and who them”/],
        ['How many unicorns are there?', /no table fits/],
        ['How many did Zed make?', /no table fits/],
        ['What is the average and the largest amount?', /was not queried/],
        ['Which pets barked most?', /was not queried: no table fits.*orders \(id, customer_id/],
      ],
      6,
    ),
  )(
    '%j has a word that the database does not have, so nothing is counted',
    async (question, why) => {
      const answer = await answerTo(question);
      expect(answer).toMatch(why);
      expect(answer).not.toContain('was read as');
    },
  );

  test.each([
    ['sqrt(2)', '(2) ** 0.5 = 1.4142135623730951'],
    ['2 の 10 乗は？', '2 ** 10 = 1024'],
    ['What is 2^10?', '2 ** 10 = 1024'],
    ['square root of 16', '16 ** 0.5 = 4.0'],
  ])('%j is computed: %s', async (question, answer) => {
    expect(await answerTo(question)).toBe(answer);
  });
});

const ground = {
  question: 'Should we move the queue to Postgres? It was down for 2 hours in May.',
  attachments: [
    {name: 'notes.txt', text: 'Ann: the migration costs two weeks.\nBob likes tea a lot.'},
  ],
  background: backgroundOf(
    {
      text: 'README.md\n\n## README.md\n# Shop\nThe queue is fast.\nThe lamp is fast as well.',
      read: ['README.md'],
    },
    '[1] docs/queue.md:7-8\nheading: Queue\n> A crash loses jobs.\n> It runs at night.\n\n1 passage',
  ),
};

const say = (view: string, more: object = {}) =>
  quotedFor(participantMessage({...ground, ...more}, view));

describe('a seat', () => {
  test.each([
    ['benefits', ['- “The queue is fast.” (README.md:2)']],
    ['risks', ['- “A crash loses jobs.” (docs/queue.md:7)']],
    ['cost', ['- “Ann: the migration costs two weeks.” (notes.txt:1)']],
    ['evidence', []],
  ])('quotes the passages about %s, each with its place', (view, quotes) => {
    const lines = say(view).split('\n');
    expect(lines.filter((line) => line.startsWith('- '))).toEqual(expect.arrayContaining(quotes));
    expect(say(view)).not.toContain('lamp');
    expect(say(view)).not.toContain('Should we move');
  });

  test('says in the same words for every topic when there is nothing to quote', () => {
    const bare = {attachments: [], background: [], question: 'Tabs or spaces?'};
    const nothing = 'By rule: no given or found text has anything to quote on this question.';
    expect(['benefits', 'risks', 'cost'].map((view) => say(view, bare))).toEqual([
      nothing,
      nothing,
      nothing,
    ]);
  });

  test('understands documents in Japanese', () => {
    const question = 'キューを Postgres に移すべきですか？';
    const passages = '[1] docs/a.md:3-3\n> 移行の費用は月に四十ドルです。';
    const background = backgroundOf({text: '', read: []}, passages);
    expect(say('cost', {question, background})).toContain(
      '移行の費用は月に四十ドルです。” (docs/a.md:3)',
    );
  });
});

const answersGiven = [
  {label: 'Response A', by: 'x', text: 'By rule: no given or found text has anything to quote.'},
  {
    label: 'Response B',
    by: 'y',
    text: 'Of risks, by rule:\n- “It fails.” (a.md:1)\nThese are quotations.',
  },
];

test('a reader counts quotations', () => {
  expect(rankedByRule(readerMessage(ground, answersGiven))).toMatchObject({
    ranking: ['Response B', 'Response A'],
    reviews: [
      {label: 'Response B', score: 3},
      {label: 'Response A', score: 1},
    ],
  });
});

test('without a quotation the chair says so, and nothing else', () => {
  const [nothing = {label: '', by: '', text: ''}] = answersGiven;
  expect(concludedByRule(chairMessage(ground, [nothing], [], []))).toEqual({
    conclusion: 'No conclusion: the rules found nothing to quote on this question.',
    key_points: [],
    agreements: [],
    disagreements: [],
  });
});

test('the chair lists the quotations and concludes nothing', () => {
  expect(concludedByRule(chairMessage(ground, answersGiven, [], []))).toEqual({
    conclusion: expect.stringMatching(/^No conclusion: .* statements on risks \(1\)/),
    key_points: ['risks: “It fails.” (a.md:1)'],
    agreements: [],
    disagreements: [],
  });
});

const usualTools = ['calculator', 'database', 'grep_search', 'search'];

async function reply(
  question: string,
  answers: readonly string[] = [],
  tools: readonly string[] = usualTools,
): Promise<ModelReply> {
  let transcript = openTranscript(askMessage({question, attachments: []}));
  const call = async (): Promise<ModelReply> => {
    const outcome = await callOffline({purpose: 'ask', transcript, tools});
    if (outcome.kind !== 'ok') throw new Error(outcome.message);
    return outcome;
  };
  const first = await call();
  if (answers.length === 0) return first;
  transcript = appendMessages(
    transcript,
    {role: 'assistant', text: '', calls: first.calls},
    ...first.calls.map(({id, name}, index) => ({
      role: 'tool' as const,
      callId: id,
      name,
      text: answers[index] ?? '0 matches in 0 files',
      isError: false,
    })),
  );
  return await call();
}

function madeOf({calls}: ModelReply): string[] {
  return calls.map(({name, args}) => `${name} ${JSON.stringify(args)}`);
}

describe('arithmetic', () => {
  test.each(
    pairs(`
    What is (17 ** 3 - 1) // 7 % 100? ⇒ (17 ** 3 - 1) // 7 % 100 ¦ 1+1 ⇒ 1+1
    Please calculate -2 ** 2. ⇒ -2 ** 2 ¦ 3.5 * 2 はいくつですか？ ⇒ 3.5 * 2
    How much is 1e3 / 4 = ⇒ 1e3 / 4 ¦ What's 3 times 4? ⇒ 3 * 4 ¦ 17 plus 4 ⇒ 17 + 4
    3 × 4 ÷ 2 ⇒ 3 * 4 / 2 ¦ 1,000 * 3 ⇒ 1000 * 3 ¦ What is 20% of 50? ⇒ 20 / 100 * 50
    １２＋３は？ ⇒ 12+3
  `),
  )('%j is computed', async (question, expression) => {
    expect(madeOf(await reply(question))).toEqual([`calculator ${JSON.stringify({expression})}`]);
  });

  test.each(
    cells(`
    What happened in 2024-2025? ¦ What is on lines 3-5 of the README? ¦ Call 555-1234 ¦ What is 42?
    2025-01-01 ¦ What is 555-1234?
  `),
  )('%j is not computed', async (question) => {
    expect(madeOf(await reply(question))[0]).toMatch(/^search /);
  });

  test('an expression without a value is reported', async () => {
    const said = await reply('1 / 0', ['division by zero']);
    expect(said.text).toBe('1 / 0 = division by zero');
  });
});

describe('queries', () => {
  test.each(['SELECT 1', 'select * from t', '```sql\nWITH x AS (SELECT 1) SELECT * FROM x\n```'])(
    '%j is run verbatim',
    async (question) => {
      expect(madeOf(await reply(question))[0]).toMatch(/^database /);
    },
  );

  test.each(['Select the best option for me', 'With whom do we work?'])(
    '%j is not a query',
    async (question) => {
      expect(madeOf(await reply(question))[0]).toMatch(/^search /);
    },
  );

  test('the tables are read from their CREATE statements', () => {
    const sql =
      'CREATE TABLE "a b" (id INTEGER PRIMARY KEY, "na""me" TEXT DEFAULT (1, 2), [x y] NUMERIC(10, 2),\n' +
      '  `z` TEXT, UNIQUE (id, z), FOREIGN KEY (z) REFERENCES t (id), CHECK (id > 0))';
    expect(readTable('a b', sql).columns).toEqual(['id', 'na"me', 'x y', 'z']);
  });
});

describe('comments', () => {
  const found = 'src/a.js:1: // TODO: one\nsrc/b.js:2: // FIXME: two\n2 matches in 2 files';
  const tools = ['glob_search', 'grep_search', 'read_file', 'search'];

  test.each([
    ['list the TODOs in src', '1 TODO comment in src.\nsrc/a.js:1: // TODO: one'],
    ['Where are the TODOs in src?', '1 TODO comment in src.\nsrc/a.js:1: // TODO: one'],
    ['What FIXMEs are there?', '1 FIXME comment in all files.\nsrc/b.js:2: // FIXME: two'],
    ['src の TODO はどこですか？', 'src の TODO コメントは 1 件です。\nsrc/a.js:1: // TODO: one'],
  ])('%j lists them', async (question, answer) => {
    expect((await reply(question, [found], tools)).text).toBe(answer);
  });

  test('are searched, not collected into a file, because a question writes nothing', async () => {
    const first = await reply('Collect all TODO comments into TODO.md', [], tools);
    expect(madeOf(first)).toEqual([expect.stringMatching(/^glob_search .*TODO\.md/)]);
  });
});

describe('everything else', () => {
  test('is quoted from code and documents, definitions of a value first', async () => {
    const said = await reply('Where is the retry limit set?', [
      '[1] docs/limits.md:3-4\nheading: Limits\n> A call is retried\n> a few times.\n\n1 passages from 9 documents searched',
      'src/use.ts:9: if (attempts > retryLimit) stop();\nsrc/limits.ts:2: export const retryLimit = 4;\n2 matches in 2 files',
    ]);
    const text = said.text.split('\n\n');
    expect(text[1]).toBe('src/limits.ts:2\n> export const retryLimit = 4;');
    expect(text).toContain('docs/limits.md:3-4 (Limits)\n> A call is retried\n> a few times.');
  });

  test('is quoted once, although a search of lines finds it within a passage', async () => {
    const said = await reply('Where is the retry limit set?', [
      '[1] notes.md:1-2\nheading: Limits\n> # Limits\n> The retry limit is four.\n\n1 passages from 9 documents searched',
      'notes.md:2: The retry limit is four.\n1 match in 1 file',
    ]);
    expect(said.text.split('The retry limit is four.')).toHaveLength(2);
  });

  test('that is not found is reported as not found', async () => {
    const said = await reply('Where is the unicorn?', ['nothing found in 3 documents']);
    expect(said.text).toMatch(/^No searched file contains/);
  });

  test('that is not found is reported with the files that were not searched', async () => {
    const said = await reply('Where is the unicorn?', [
      '… only the first 100000 files of the workspace were looked at\nnothing found in 3 documents',
      '… not all files were searched; name a folder in path\n0 matches in 0 files',
    ]);
    expect(said.text).toMatch(
      /^No searched file contains .*\n\nLeft out: only the first 100000 .*; not all/,
    );
  });
});
