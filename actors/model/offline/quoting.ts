/** Quoting what is found in code and documents, with its place. */

import {type Citation, parseCitations} from '../../../tools/search/hits.ts';
import {labelsFor} from './japanese.ts';
import {keywordsOf, pairPatterns} from './keywords.ts';
import {type Match, readMatches} from './listing.ts';
import {leftOutText} from './matches.ts';
import type {Answer, Steps, Use} from './skill.ts';

const databaseNote =
  'The database was not asked: the offline model runs a SELECT that is given as such, counts, adds up and lists.';

const maxLines = 3;
const maxPassages = 2;

/** `notes` end the answer. */
export function* quote(
  question: string,
  tools: readonly string[],
  notes: readonly string[],
): Steps<string> {
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
  const found = citations(lines, passages.slice(0, maxPassages));
  const isEmpty = of('search').some(({text}) => text.startsWith('no file matches'));
  const label = labelsFor(question);
  const head =
    found.length === 0
      ? 'No file contains the words of your question.'
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

function citations(lines: readonly Found[], passages: readonly Citation[]): string[] {
  const code = lines.map(({match: {path, line, text}}) => `${path}:${line}\n> ${text.trim()}`);
  const documents = passages.map(
    ({path, startLine, endLine, heading, quote: text}) =>
      `${path}:${startLine}-${endLine}${heading === '' ? '' : ` (${heading})`}\n${text.trim().replaceAll(/^/gm, '> ')}`,
  );
  const isCode = (lines[0]?.score ?? 0) >= 2.4;
  return isCode ? [...code, ...documents] : [...documents, ...code];
}
