/** What the offline model does with a question: arithmetic, a SELECT given as such, else quoting what is found. */

import {type Citation, parseCitations} from '../../../tools/search/hits.ts';
import {keywordsOf, pairPatterns} from './keywords.ts';
import {type Match, readMatches} from './listing.ts';
import {type Ranking, rankingQuery, readTable, tablesQuery, understandRanking} from './ranking.ts';
import type {Answer, Use, Work} from './skill.ts';

/** What the offline model answers, for the documentation. */
export const offlineQuestions = [
  {phrase: 'What is (17 ** 3 - 1) // 7 % 100?', does: 'computes it'},
  {phrase: 'SELECT name FROM customers LIMIT 3', does: 'runs the query on the database of --db'},
  {
    phrase: 'Which three customers ordered most in 2025?',
    does: 'counts in the table that fits the words, and shows the query',
  },
  {
    phrase: 'Where is the port of the server set?',
    does: 'searches code and documents, and quotes what it found with its place',
  },
] as const;

const databaseNote =
  'The database was not asked: the offline model runs a SELECT that is given as such, or counts who did most of what.';

const noDatabase =
  'No database is there to be asked. Name a SQLite file: quorate ask --db FILE "SELECT …"';

const maxLines = 3;
const maxPassages = 2;

/** `tools` are the names of those that exist for this question. */
export function workOn(question: string, tools: readonly string[]): Work {
  const expression = expressionIn(question);
  if (expression !== undefined && tools.includes('calculator')) return compute(expression);
  const select = selectIn(question);
  if (select !== undefined) return query(select, tools);
  const ranking = tools.includes('database') ? understandRanking(question) : undefined;
  if (ranking) return rank(ranking, tools);
  return quote(question, tools);
}

const courtesy =
  /^(?:please|what(?:'s| is| are)|how much is|calculate|compute|evaluate|work out|tell me|the|result|value|of|answer|to|is|equals?|計算して|計算|ください|いくつ|いくら|ですか|です|は|を|の|[\s?？=.:,。、!！])*$/i;

/** An expression with an operator, when nothing else is asked. */
function expressionIn(question: string): string | undefined {
  const text = spelt(question);
  const found = text.match(/[\d(.+-][\d\s.eE+\-*/%()_]*[\d)]/g) ?? [];
  const expression = found.toSorted((a, b) => b.length - a.length)[0]?.trim();
  if (expression === undefined || !/[\d)]\s*[+\-*/%]/.test(expression)) return undefined;
  // 2025-01-01, 555-1234
  if (/^\d+(?:-\d+)+$/.test(expression)) return undefined;
  return courtesy.test(text.replace(expression, '')) ? expression : undefined;
}

const spellings: readonly (readonly [RegExp, string])[] = [
  [/[×·]/g, '*'],
  [/÷/g, '/'],
  [/−/g, '-'],
  [/(?<=[\d)])\s+(?:times|multiplied by)\s+(?=[\d(])/gi, ' * '],
  [/(?<=[\d)])\s+(?:divided by|over)\s+(?=[\d(])/gi, ' / '],
  [/(?<=[\d)])\s+plus\s+(?=[\d(])/gi, ' + '],
  [/(?<=[\d)])\s+minus\s+(?=[\d(])/gi, ' - '],
  [/(?<=\d)\s*(?:%|percent)\s+of\s+(?=\d)/gi, ' / 100 * '],
  [/(?<=\b\d{1,3}(?:,\d{3})*),(?=(?:\d{3},)*\d{3}\b)/g, ''],
];

/** Signs and words as the calculator knows them. */
function spelt(question: string): string {
  return spellings.reduce(
    (text, [pattern, sign]) => text.replaceAll(pattern, sign),
    question.normalize('NFKC'),
  );
}

function* compute(expression: string): Work {
  const [result] = yield [{tool: 'calculator', args: {expression}}];
  if (!result || result.isError) return `${expression} can't be computed: ${textOf(result)}`;
  return `${expression} = ${result.text}`;
}

function selectIn(question: string): string | undefined {
  const text = question.replace(/^```(?:sql)?\s*|\s*```$/g, '').trim();
  return /^(?:select|with|values)\b[\s\S]*\b(?:from|select|values)\b/i.test(text) ||
    /^select\s+[\d'(]/i.test(text)
    ? text
    : undefined;
}

function* query(sql: string, tools: readonly string[]): Work {
  if (!tools.includes('database')) return noDatabase;
  const [result] = yield [{tool: 'database', args: {sql}}];
  if (!result || result.isError) return `The query can't be run: ${textOf(result)}`;
  return tableOf(result.text);
}

function* rank(ranking: Ranking, tools: readonly string[]): Work {
  const [schema] = yield [{tool: 'database', args: {sql: tablesQuery}}];
  if (!schema || schema.isError) return `The tables can't be read: ${textOf(schema)}`;
  const tables = rowsOf(schema.text).map(({name, sql}) => readTable(cellOf(name), cellOf(sql)));
  const sql = rankingQuery(ranking, tables);
  if (sql === undefined) {
    const known = tables.map(({name, columns}) => `${name} (${columns.join(', ')})`).join('; ');
    return `The offline model finds no table for this question. There is ${known}. Give it the SELECT itself.`;
  }
  return `${yield* query(sql, tools)}\n\nThe question was read as: ${sql}`;
}

interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly note?: string;
}

function rowsOf(text: string): Rows['rows'] {
  try {
    const {rows}: Rows = JSON.parse(text);
    return rows;
  } catch {
    return [];
  }
}

/** The rows as a table; the answer as it came when it can't be read. */
function tableOf(text: string): string {
  try {
    const {columns, rows, note}: Rows = JSON.parse(text);
    const cells = [columns, ...rows.map((row) => columns.map((name) => cellOf(row[name])))];
    const widths = columns.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)));
    const lines = cells.map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    );
    const count = rows.length === 1 ? '1 row' : `${rows.length} rows`;
    return [...lines, '', note === undefined ? count : `${count}; ${note}`].join('\n');
  } catch {
    return text;
  }
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  return typeof value === 'string' && !/\p{Cc}/u.test(value) ? value : JSON.stringify(value);
}

function* quote(question: string, tools: readonly string[]): Work {
  const keywords = keywordsOf(question);
  const greps = pairPatterns(keywords).map((pattern): Use => ({
    tool: 'grep_search',
    args: {pattern, case_insensitive: true},
  }));
  const search: Use = {tool: 'search', args: {query: question}};
  const uses = [search, ...greps].filter(({tool}) => tools.includes(tool));
  if (uses.length === 0) return cannot;
  const answers = yield uses;
  const of = (tool: string): Answer[] => answers.filter((_, index) => uses[index]?.tool === tool);
  const lines = bestLines(of('grep_search'), keywords);
  const passages = of('search').flatMap(({text, isError}) => (isError ? [] : parseCitations(text)));
  const isEmpty = of('search').some(({text}) => text.startsWith('no file matches'));
  const notes = [
    ...(isEmpty ? ['No document matches the globs of search.paths (--docs).'] : []),
    ...(tools.includes('database') ? [databaseNote] : []),
  ];
  return report(lines, passages.slice(0, maxPassages), notes);
}

const cannot =
  'The offline model works by rule: it computes, runs a SELECT given as such, and quotes what it finds. It has no tool for this question.';

interface Found {
  readonly match: Match;
  readonly score: number;
}

/** Lines by how many of the words they and their path hold; what defines a value goes before what uses it. */
function bestLines(answers: readonly Answer[], keywords: readonly string[]): Found[] {
  const matches = answers.flatMap(({text, isError}) => (isError ? [] : readMatches(text).matches));
  const distinct = new Map(matches.map((match) => [`${match.path}:${match.line}`, match]));
  return [...distinct.values()]
    .map((match) => ({match, score: scoreOf(match, keywords)}))
    .filter(({score}) => score >= Math.min(2, keywords.length))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, maxLines);
}

const definition =
  /(?:\b(?:const|let|var|val|static|final|def|fn|func|function|class|enum|type)\b|[:=(]\s*['"\d])/;
const valued = /[=:(,]\s*['"]?\d/;
const aside =
  /(?:^|\/)(?:tests?|spec|fixtures|examples?|vendor|dist)\/|\.(?:md|txt|lock|json)$|\.test\./;

function scoreOf({path, text}: Match, keywords: readonly string[]): number {
  const inLine = keywords.filter((word) => new RegExp(word, 'i').test(text)).length;
  const inPath = keywords.filter(
    (word) => !new RegExp(word, 'i').test(text) && new RegExp(word, 'i').test(path),
  ).length;
  const bonus = (definition.test(text) ? 0.4 : 0) + (valued.test(text) ? 0.4 : 0);
  return inLine + inPath * 0.5 + bonus - (aside.test(path) ? 0.9 : 0);
}

function report(
  lines: readonly Found[],
  passages: readonly Citation[],
  notes: readonly string[],
): string {
  const code = lines.map(({match: {path, line, text}}) => `${path}:${line}\n> ${text.trim()}`);
  const documents = passages.map(
    ({path, startLine, endLine, heading, quote: text}) =>
      `${path}:${startLine}-${endLine}${heading === '' ? '' : ` (${heading})`}\n${text.trim().replaceAll(/^/gm, '> ')}`,
  );
  const isCode = (lines[0]?.score ?? 0) >= 2.4;
  const found = isCode ? [...code, ...documents] : [...documents, ...code];
  if (found.length === 0) {
    return [
      'Nothing was found in code and documents that has the words of the question.',
      ...notes,
    ].join('\n\n');
  }
  return [
    'The offline model quotes what it found; it does not interpret it.',
    ...found,
    ...notes,
  ].join('\n\n');
}

function textOf(answer: Answer | undefined): string {
  return answer?.text ?? 'no answer came';
}
