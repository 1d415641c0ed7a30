/** Answers about the text of one file: its size, its outline, and the lines that hold the words of a question. */

import {parseQuery, type Query} from '../../../tools/search/query.ts';
import {isStopWord} from '../../../tools/search/stop-words.ts';
import {wordsOf} from '../../../tools/text/words.ts';
import {measureSheet, readSheet} from './csv.ts';
import {type Label, labelsFor} from './japanese.ts';
import {languageOf} from './languages.ts';
import {definedNames, holdsName, namesIn} from './names.ts';
import {firstParagraph} from './readme.ts';
import {sizeText} from './repository.ts';

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

const maxWhole = 20;
const maxQuoted = 8;
const maxSection = 20;

export function answerOnFile(question: string, file: TextFile): string {
  const {path, text} = file;
  const label = labelsFor(question);
  const rest = question
    .replaceAll(path, ' ')
    .replaceAll(path.slice(path.lastIndexOf('/') + 1), ' ');
  if (/\.(?:csv|tsv)$/i.test(path)) {
    const sheet = readSheet(text);
    const rows = label('$1 row{|s}', sheet.rows.length);
    const columns = label('$1 column{|s} ($2)', sheet.columns.length, sheet.columns.join(', '));
    return [`${path}: ${rows}, ${columns}`, ...(measureSheet(rest, sheet) ?? [])].join('\n');
  }
  const language = languageOf(path);
  const facts = [label('$1 line{|s}', linesOf(text).length), sizeText(Buffer.byteLength(text))];
  const head = `${path}: ${[...(language === 'other' ? [] : [language]), ...facts].join(', ')}`;
  if (ofSize.test(rest)) return head;
  const about = topicLines(rest, file);
  if (about && about.length > 0) return about.join('\n');
  const none = about ? [label('No line of $1 contains the words of your question.', path)] : [];
  return [...none, head, ...outline(file, label)].join('\n');
}

const ofSize =
  /\b(?:how (?:many lines|long|big|large)|(?:number|count) of lines|line count|count (?:the |all )?lines|size)\b|何行|行数|サイズ|大きさ/i;

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}

/** Words that ask for a file as a whole, as `wordsOf` gives them. */
const asking = new Set(
  wordsOf(
    'say tell explain describe summarise summarize summary overview show contain contents line file document list print read ' +
      'work purpose mean attached text module script export define function class code use used ' +
      '言う 説明 内容 要約 概要 書く 書いて 書かれて 教える 行 中身 ファイル 役割 エクスポート 定義 関数',
  ),
);

/** The terms of a question that say more than what is asked for; none when a file is asked for as a whole. */
export function topicOf(question: string): Query['terms'] {
  const terms = parseQuery(question)?.terms ?? [];
  return terms.filter(([word]) => !asking.has(word) && !isStopWord(word));
}

/** Undefined when the question has no words to look for; none when no line holds them. */
function topicLines(question: string, {path, text}: TextFile): string[] | undefined {
  const lines = linesOf(text);
  const names = namesIn(question).filter(({isCertain}) => isCertain);
  const terms = topicOf(question);
  if (names.length === 0 && terms.length === 0) return undefined;
  const scoreOf = (line: string): number => {
    if (names.length > 0) return names.filter(({name}) => holdsName(line, name)).length;
    const words = new Set(wordsOf(line));
    return terms.filter((term) => term.some((word) => words.has(word))).length;
  };
  const scores = lines.map(scoreOf);
  const best = Math.max(0, ...scores);
  if (best === 0) return [];
  const places = scores.flatMap((score, at) => (score === best ? [at] : []));
  const heading = /\.mdx?$/i.test(path) ? places.find((at) => isHeading(lines[at])) : undefined;
  if (heading !== undefined) return section(path, lines, heading);
  return places.slice(0, maxQuoted).map((at) => `${path}:${at + 1}: ${(lines[at] ?? '').trim()}`);
}

function isHeading(line = ''): boolean {
  return /^#{1,6}\s/.test(line);
}

/** From a heading to the next one. */
function section(path: string, lines: readonly string[], from: number): string[] {
  const next = lines.findIndex((line, at) => at > from && isHeading(line));
  const end = Math.min(next < 0 ? lines.length : next, from + maxSection);
  const body = lines.slice(from, end).join('\n').trimEnd().split('\n');
  return [`${path}:${from + 1}-${from + body.length}`, ...body.map((line) => `> ${line}`)];
}

/** The description that a file has of itself, the names that it defines, and its first lines. */
function outline({path, text}: TextFile, label: Label): string[] {
  const lines = linesOf(text);
  if (/\.(?:mdx?|rst|adoc)$/i.test(path)) return documentOutline(text, lines, label);
  const {exported, names} = definedNames(lines);
  const list =
    names.length > 0
      ? `${exported ? label('Exports') : label('Defines')}: ${names.join(', ')}`
      : '';
  const shown = lines.length <= maxWhole ? lines : lines.slice(0, names.length > 0 ? 0 : maxQuoted);
  return [headComment(text), list, ...shown.map((line) => `> ${line}`)].filter(
    (line) => line !== '',
  );
}

function documentOutline(text: string, lines: readonly string[], label: Label): string[] {
  const titles = lines.filter(isHeading).map((line) => line.replace(/^#+\s*/, ''));
  const list = titles.length > 0 ? `${label('Headings')}: ${titles.join(', ')}` : '';
  return [firstParagraph(text) ?? '', list].filter((line) => line !== '');
}

/** The first paragraph of the comment at the start of a file. */
function headComment(text: string): string {
  const found =
    /^(?:#!.*\n)?\s*(?:\/\*\*?(?<block>[^]*?)\*\/|"""(?<doc>[^]*?)"""|(?<lines>(?:(?:\/\/|#|--|;).*\n?)+))/.exec(
      text,
    )?.groups ?? {};
  const body = found['block'] ?? found['doc'] ?? found['lines'] ?? '';
  const [first = ''] = body
    .replaceAll(/^[ \t]*(?:\*|\/\/+|#+|--|;+)?[ \t]*/gm, '')
    .trim()
    .split(/\n\s*\n/);
  return first.replaceAll('\n', ' ');
}
