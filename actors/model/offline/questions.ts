/** Answers questions: computes, runs a given SELECT, counts the rows of a table, or else quotes code and documents. */

import type {Language} from '../../../machines/domain/language.ts';
import {quotationsIn} from '../../../machines/prompts/section-text.ts';
import {isStopWord} from '../../../tools/search/query.ts';
import {textWords} from '../../../tools/text/words.ts';
import {call, type Work} from './work.ts';

const computed =
  /^(?:(?:what(?:'s| is)|how much is|compute|calculate)\s+)?(?<sum>[\d(.-][\d\s.+*/%()-]*[\d)])\s*(?:は(?:いくつ|いくら)?(?:ですか)?|を計算して)?[\s=?？.。]*$/iu;
const counted =
  /^(?:how many (?<english>\w+) are there|(?<japanese>\w+)\s*は何件(?:ですか|ありますか)?)[?？.。]*$/iu;

/** `tools` are the names of the tools that the question may use. */
export function* answerTo(question: string, tools: readonly string[], language: Language): Work {
  const sum = computed.exec(question)?.groups?.['sum'] ?? '';
  // A date is not a sum.
  if (/\d\)*\s*[+*/%-]/.test(sum) && !/^\d+(?:-\d+)+$/.test(sum) && tools.includes('calculator'))
    return `${sum} = ${yield* call('calculator', {expression: sum})}`;
  const sql = tools.includes('database') ? queryFor(question) : undefined;
  if (sql === undefined) return yield* quote(question, tools, language);
  const rows = tableText(yield* call('database', {sql}));
  return sql === question ? rows : `${rows}\n\n${sql}`;
}

function queryFor(question: string): string | undefined {
  if (/^(?:select|with|values)\b/i.test(question)) return question;
  const {english, japanese} = counted.exec(question)?.groups ?? {};
  const table = english ?? japanese;
  return table === undefined ? undefined : `SELECT count(*) AS ${table} FROM ${table}`;
}

interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly note?: string;
}

/** The table as the database tool writes it, in aligned lines. */
function tableText(text: string): string {
  const {columns, rows, note = ''}: Table = JSON.parse(text);
  const lines = [columns, ...rows.map((row) => columns.map((name) => String(row[name])))];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  const aligned = lines.map((line) => line.map((value, at) => value.padEnd(widths[at] ?? 0)));
  return [...aligned.map((line) => line.join('  ').trimEnd()), note].join('\n').trimEnd();
}

const heads: Readonly<Record<Language, string>> = {
  en: 'The offline model only quotes, and interprets nothing.',
  ja: 'オフラインモデルは引用だけをして、解釈はしません。',
};

const maxQuotes = 4;

/** The lines of code with most words of the question, and the best passages of documents. */
function* quote(question: string, tools: readonly string[], language: Language): Work {
  const words = wordsOf(question);
  const pairs = words.flatMap((one, at) =>
    words.slice(at + 1).map((other) => `^(?=.*${one})(?=.*${other})`),
  );
  const patterns = [pairs, words].filter(({length}) => length > 0);
  const uses = [
    ...patterns.map((all) => ({
      tool: 'grep_search',
      args: {pattern: all.join('|'), case_insensitive: true},
    })),
    {tool: 'search', args: {query: question, top_k: 2}},
  ].filter(({tool}) => tools.includes(tool));
  const answers = uses.length > 0 ? yield uses : [];
  const textsOf = (tool: string): string[] =>
    answers.filter((_, at) => uses[at]?.tool === tool).map(({text}) => text);
  const lines = textsOf('grep_search').flatMap((text) => text.split('\n').slice(0, -1));
  return [heads[language], ...bestLines(lines, words), ...textsOf('search')].join('\n\n');
}

/** At most five, in lower case and without common endings. */
function wordsOf(question: string): string[] {
  const words = (question.match(/[A-Za-z_]\w{2,}/g) ?? []).filter(
    (word) => !textWords(word).every(isStopWord),
  );
  const stems = words.map((word) => word.toLowerCase().replace(/(?<=\w{3})(?:s|ed|ing|y)$/, ''));
  return [...new Set(stems)].slice(0, 5);
}

function bestLines(lines: readonly string[], words: readonly string[]): readonly string[] {
  const countIn = (line: string): number =>
    words.filter((word) => line.toLowerCase().includes(word)).length;
  const found = [...new Set(lines)].filter((line) => countIn(line) > 0);
  return found.toSorted((one, other) => countIn(other) - countIn(one)).slice(0, maxQuotes);
}

/** Quotes the lines of given texts that contain words of the question, or else their first lines. */
export function quoteGiven(question: string, given: string, language: Language): string {
  const words = wordsOf(question);
  const texts = quotationsIn(given).flatMap(({source, lines}) => {
    const best = bestLines(lines, words);
    const shown = best.length > 0 ? best : lines.slice(0, 3 * maxQuotes);
    return [`${source}: ${lines.length} lines`, shown.map((line) => `> ${line}`).join('\n')];
  });
  return [heads[language], ...texts].join('\n\n');
}
