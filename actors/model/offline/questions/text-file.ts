/** Answers questions about the text of one file: its size, its outline, and the lines with words of the question. */

import {type Label, labelsFor} from '../japanese.ts';
import {languageOf} from '../languages.ts';
import {firstParagraph} from '../readme.ts';
import {sizeText} from '../repository.ts';
import {measureSheet, readSheet} from './csv.ts';
import {countTerms, topicOf} from './keywords.ts';
import {definedNames, holdsName, namesIn} from './names.ts';

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
  const nth = lineAsked(rest, linesOf(text).length);
  if (nth !== undefined) return quotedLines(file, [nth - 1]).join('\n') || head;
  const about = topicLines(rest, file);
  if (about && about.length > 0) return about.join('\n');
  const none = about ? [label('No line of $1 contains the words of your question.', path)] : [];
  return [...none, head, ...outline(file, label)].join('\n');
}

const ofSize =
  /\b(?:how (?:many lines|long|big|large)|(?:number|count) of lines|line count|count (?:the |all )?lines|size)\b|何行|行数|サイズ|大きさ/i;

const ofLine =
  /\bline (?:number )?(\d+)|\b(\d+)(?:st|nd|rd|th) line\b|\b(first|second|third|last) line\b|(\d+)\s*行目|(最初|最後)の行/i;

function lineAsked(question: string, count: number): number | undefined {
  const word = ofLine
    .exec(question)
    ?.slice(1)
    .find((part) => part !== undefined);
  if (word === undefined) return undefined;
  if (/last|最後/i.test(word)) return count;
  const at = ['first', 'second', 'third'].indexOf(word.toLowerCase());
  return Number(word) || Math.max(at, 0) + 1;
}

function quotedLines({path, text}: TextFile, places: readonly number[]): string[] {
  const lines = linesOf(text);
  return places.flatMap((at) =>
    lines[at] === undefined ? [] : `${path}:${at + 1}: ${lines[at].trim()}`,
  );
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}

/** Returns undefined if the question has no keywords, an empty list if no line contains them. */
function topicLines(question: string, file: TextFile): string[] | undefined {
  const {path, text} = file;
  const lines = linesOf(text);
  const names = namesIn(question).filter(({isCertain}) => isCertain);
  const terms = topicOf(question);
  if (names.length === 0 && terms.length === 0) return undefined;
  const scoreOf = (line: string): number =>
    names.length > 0
      ? names.filter(({name}) => holdsName(line, name)).length
      : countTerms(line, terms);
  const scores = lines.map(scoreOf);
  const best = Math.max(0, ...scores);
  if (best === 0) return [];
  const places = scores.flatMap((score, at) => (score === best ? [at] : []));
  const heading = /\.mdx?$/i.test(path) ? places.find((at) => isHeading(lines[at])) : undefined;
  if (heading !== undefined) return section(path, lines, heading);
  return quotedLines(file, places.slice(0, maxQuoted));
}

function isHeading(line = ''): boolean {
  return /^#{1,6}\s/.test(line);
}

function section(path: string, lines: readonly string[], from: number): string[] {
  const next = lines.findIndex((line, at) => at > from && isHeading(line));
  const end = Math.min(next < 0 ? lines.length : next, from + maxSection);
  const body = lines.slice(from, end).join('\n').trimEnd().split('\n');
  return [`${path}:${from + 1}-${from + body.length}`, ...body.map((line) => `> ${line}`)];
}

/** The head comment of a file, the names that it defines, and its first lines. */
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
