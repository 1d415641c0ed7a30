/** Questions about a database, as whole runs with the offline model on a real one. */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterAll, expect, test} from 'vitest';

import {createRuntime} from '../../../../../actors/index.ts';
import {sampled} from '../../../../support/depth.ts';
import {createSales} from '../shop.ts';

const folder = mkdtempSync(join(tmpdir(), 'quorate-sales-'));
const path = join(folder, 'sales.sqlite');
createSales(path);
const runtime = createRuntime({env: {}, config: {database: {path}}});
afterAll(async () => {
  await runtime.close();
  rmSync(folder, {recursive: true, force: true});
});

async function answerTo(question: string): Promise<string> {
  const {status, answer = ''} = await runtime.ask(question, {workspace: folder}).result;
  expect(status).toBe('completed');
  return answer;
}

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
)('%j has a word that the database does not have, so nothing is counted', async (question, why) => {
  const answer = await answerTo(question);
  expect(answer).toMatch(why);
  expect(answer).not.toContain('was read as');
});

test.each([
  ['sqrt(2)', '(2) ** 0.5 = 1.4142135623730951'],
  ['2 の 10 乗は？', '2 ** 10 = 1024'],
  ['What is 2^10?', '2 ** 10 = 1024'],
  ['square root of 16', '16 ** 0.5 = 4.0'],
])('%j is computed: %s', async (question, answer) => {
  expect(await answerTo(question)).toBe(answer);
});
