/** The replies of the offline model to questions, before and after its tools have answered. */

import {describe, expect, test} from 'vitest';

import {createOfflineModel} from '../../../../actors/model/offline/offline.ts';
import {readTable} from '../../../../actors/model/offline/questions/tables.ts';
import type {ModelReply} from '../../../../machines/domain/model.ts';
import {askMessage} from '../../../../machines/forms/ask/prompt.ts';
import {appendMessages, openTranscript} from '../../../../machines/prompts/transcript.ts';

const usualTools = ['calculator', 'database', 'grep_search', 'search'];

async function reply(
  question: string,
  answers: readonly string[] = [],
  tools: readonly string[] = usualTools,
): Promise<ModelReply> {
  const model = createOfflineModel();
  let transcript = openTranscript(askMessage({question, attachments: []}));
  const call = async (): Promise<ModelReply> => {
    const outcome = await model.call(
      {
        purpose: 'ask',
        model: 'offline/offline',
        system: '',
        transcript,
        tools,
        toolChoice: 'auto',
        maxOutputTokens: 100,
      },
      {tools: [], signal: new AbortController().signal, onDelta: () => {}},
    );
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
  test.each([
    ['What is (17 ** 3 - 1) // 7 % 100?', '(17 ** 3 - 1) // 7 % 100'],
    ['1+1', '1+1'],
    ['Please calculate -2 ** 2.', '-2 ** 2'],
    ['3.5 * 2 はいくつですか？', '3.5 * 2'],
    ['How much is 1e3 / 4 =', '1e3 / 4'],
    ["What's 3 times 4?", '3 * 4'],
    ['17 plus 4', '17 + 4'],
    ['3 × 4 ÷ 2', '3 * 4 / 2'],
    ['1,000 * 3', '1000 * 3'],
    ['What is 20% of 50?', '20 / 100 * 50'],
    ['１２＋３は？', '12+3'],
  ])('%j is computed', async (question, expression) => {
    expect(madeOf(await reply(question))).toEqual([`calculator ${JSON.stringify({expression})}`]);
  });

  test.each([
    'What happened in 2024-2025?',
    'What is on lines 3-5 of the README?',
    'Call 555-1234',
    'What is 42?',
    '2025-01-01',
    'What is 555-1234?',
  ])('%j is not computed', async (question) => {
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
