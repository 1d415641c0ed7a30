/** The result of a search for text: the first matches with their positions, and the totals of all. */

import type {Source} from '../../machines/domain/tool.ts';
import {escapeLine} from '../escape.ts';

const maxMatches = 200;
const maxSources = 20;
const maxLineChars = 500;
const maxTextChars = 15_000;
const maxNames = 10;

export interface GrepReport {
  /** `matches` are indexes into `lines`, ascending. */
  readonly add: (path: string, lines: readonly string[], matches: readonly number[]) => void;
  /** Reports a file that was not searched, by the code of its denial. */
  readonly skip: (path: string, code: string) => void;
  readonly text: () => string;
  /** The number of files that were not searched. */
  readonly skipped: () => number;
  /** The first matches, for citing them. */
  readonly sources: () => readonly Source[];
}

export function createGrepReport(contextLines: number, filesCut: boolean): GrepReport {
  const shown: string[] = [];
  const sources: Source[] = [];
  const skippedBy = new Map<string, string[]>();
  let chars = 0;
  let matchCount = 0;
  let shownCount = 0;
  let fileCount = 0;
  return {
    add: (path, lines, matches) => {
      if (matches.length === 0) return;
      fileCount += 1;
      matchCount += matches.length;
      const fitting: number[] = [];
      let room = maxTextChars - chars;
      for (const at of matches.slice(0, maxMatches - shownCount)) {
        const around = lines.slice(Math.max(0, at - contextLines), at + contextLines + 1);
        for (const line of around) room -= Math.min(line.length, maxLineChars) + path.length + 10;
        if (room < 0 && shownCount + fitting.length > 0) break;
        fitting.push(at);
      }
      for (const at of fitting.slice(0, maxSources - sources.length)) {
        sources.push({place: `${escapeLine(path)}:${at + 1}`, quote: clip(lines[at] ?? '').trim()});
      }
      for (const line of excerpt(escapeLine(path), lines, fitting, contextLines)) {
        shown.push(line);
        chars += line.length;
      }
      shownCount += fitting.length;
    },
    skip: (path, code) => {
      if (code === 'binary') return;
      const paths = skippedBy.get(code) ?? [];
      paths.push(path);
      skippedBy.set(code, paths);
    },
    skipped: () => skippedBy.values().reduce((sum, paths) => sum + paths.length, 0),
    sources: () => sources,
    text: () => {
      const cut = shownCount < matchCount ? `, the first ${shownCount} shown` : '';
      return [
        ...shown,
        ...[...skippedBy].map(([code, paths]) => skippedLine(code, paths)),
        ...(filesCut ? ['… not all files were searched; name a folder in path'] : []),
        `${counted(matchCount, 'match', 'matches')} in ${counted(fileCount, 'file', 'files')}${cut}`,
      ].join('\n');
    },
  };
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** For people, too. */
const reasons = new Map([
  ['encoding', 'text that is not UTF-8'],
  ['credentials', 'which may hold credentials; name one as path to have it voted on'],
  ['too_large', 'over 2 MB'],
  ['path_characters', 'whose name has characters that no tool takes'],
]);

function skippedLine(code: string, paths: readonly string[]): string {
  const count = `… ${paths.length} ${paths.length === 1 ? 'file' : 'files'} not searched`;
  const why = reasons.get(code) ?? `which can't be read (${code})`;
  const names = paths.slice(0, maxNames).map(escapeLine).join(', ');
  const more = paths.length > maxNames ? ', …' : '';
  return `${count}, ${why}: ${names}${more}`;
}

/** `path:line: text` for matches, `path-line- text` for their context, `--` between groups. */
function excerpt(
  path: string,
  lines: readonly string[],
  matches: readonly number[],
  contextLines: number,
): string[] {
  const out: string[] = [];
  const isMatch = new Set(matches);
  let last = -1;
  for (const match of matches) {
    const from = Math.max(last + 1, match - contextLines);
    if (contextLines > 0 && last >= 0 && from > last + 1) out.push('--');
    const to = Math.min(lines.length - 1, match + contextLines);
    for (let at = from; at <= to; at += 1) {
      const mark = isMatch.has(at) ? ':' : '-';
      out.push(`${path}${mark}${at + 1}${mark} ${clip(lines[at] ?? '')}`);
    }
    last = Math.max(last, to);
  }
  return out;
}

function clip(line: string): string {
  if (line.length <= maxLineChars) return line;
  return `${line.slice(0, maxLineChars).toWellFormed()}… (${line.length} characters)`;
}
