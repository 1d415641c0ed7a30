/** Quotes search results from code and documents, with file and line. */

import {type Citation, parseCitations} from '../../../../tools/search/hits.ts';
import {labelsFor} from '../japanese.ts';
import {type Match, readMatches} from '../listing.ts';
import {leftOutText} from '../matches.ts';
import type {Answer, Steps, Use} from '../skills/skill.ts';
import {countTerms, linePatterns, type Term, topicOf} from './keywords.ts';

const databaseNote =
  'The database was not queried: the offline model can run a given SELECT statement, count, add up and list.';

const maxLines = 3;
/** From this score on, a line of code is quoted before passages of documents. */
const codeFirst = 1.8;
const maxPassages = 2;

export function* quote(
  question: string,
  tools: readonly string[],
  notes: readonly string[],
): Steps<string> {
  const terms = topicOf(question);
  const greps = linePatterns(terms).map((pattern): Use => ({tool: 'grep_search', args: {pattern}}));
  const search: Use = {tool: 'search', args: {query: question}};
  const uses = [search, ...greps].filter(({tool}) => tools.includes(tool));
  if (uses.length === 0) return cannot;
  const answers = yield uses;
  const of = (tool: string): Answer[] => answers.filter((_, index) => uses[index]?.tool === tool);
  const lines = bestLines(of('grep_search'), terms);
  const passages = of('search').flatMap(({text, isError}) => (isError ? [] : parseCitations(text)));
  const found = citations(lines, passages.slice(0, maxPassages));
  const isEmpty = of('search').some(({text}) => text.startsWith('no file matches'));
  const label = labelsFor(question);
  const head =
    found.length === 0
      ? 'No searched file contains the words of your question.'
      : 'The offline model quotes what it found; it does not interpret it.';
  return [
    label(head),
    ...found,
    ...leftOutText(
      answers.flatMap(({text}) => text.match(/(?<=^… ).+$/gm) ?? []),
      found.length > 0,
      label,
    ),
    ...(isEmpty ? ['No document matches the globs of search.paths (--docs).'] : []),
    ...notes,
    ...(notes.length === 0 && tools.includes('database') ? [databaseNote] : []),
  ].join('\n\n');
}

const cannot =
  'The offline model works by rule: it computes, runs a given SELECT statement, and quotes search results. It has no tool for this question.';

interface Found {
  readonly match: Match;
  readonly score: number;
}

/** The lines with most of the words, in the line and its path. Lines that define a value come before lines that use it. */
function bestLines(answers: readonly Answer[], terms: readonly Term[]): Found[] {
  const matches = answers.flatMap(({text, isError}) => (isError ? [] : readMatches(text).matches));
  const distinct = new Map(matches.map((match) => [`${match.path}:${match.line}`, match]));
  const all = [...distinct.values()].filter(({text}) => countTerms(text, terms) > 0);
  const several = all.filter(({text}) => countTerms(text, terms) > 1);
  return (several.length > 0 ? several : all)
    .map((match) => ({match, score: scoreOf(match, terms)}))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, maxLines);
}

const definition =
  /(?:\b(?:const|let|var|val|static|final|def|fn|func|function|class|enum|type)\b|[:=(]\s*['"\d])/;
const valued = /[=:(,]\s*['"]?\d/;
const aside =
  /(?:^|\/)(?:tests?|spec|fixtures|examples?|vendor|dist)\/|\.(?:md|txt|lock)$|\.test\./;

function scoreOf({path, text}: Match, terms: readonly Term[]): number {
  const inLine = countTerms(text, terms);
  const inBoth = countTerms(`${path} ${text}`, terms);
  const bonus = (definition.test(text) ? 0.4 : 0) + (valued.test(text) ? 0.4 : 0);
  return (inLine + inBoth) / 2 + bonus - (aside.test(path) ? 0.9 : 0);
}

/** The lines and the passages, the better of them first. A line within a quoted passage is not quoted again. */
function citations(lines: readonly Found[], passages: readonly Citation[]): string[] {
  const others = lines.filter(({match}) => !passages.some((passage) => contains(passage, match)));
  const code = others.map(({match: {path, line, text}}) => `${path}:${line}\n> ${text.trim()}`);
  const documents = passages.map(
    ({path, startLine, endLine, heading, quote: text}) =>
      `${path}:${startLine}-${endLine}${heading === '' ? '' : ` (${heading})`}\n${text.trim().replaceAll(/^/gm, '> ')}`,
  );
  const isCode = (others[0]?.score ?? 0) >= codeFirst;
  return isCode ? [...code, ...documents] : [...documents, ...code];
}

function contains({path, startLine, endLine}: Citation, match: Match): boolean {
  return match.path === path && startLine <= match.line && match.line <= endLine;
}
