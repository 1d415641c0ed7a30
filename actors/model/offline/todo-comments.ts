/** Finding comments that say TODO or FIXME. */

import type {Match} from './listing.ts';
import {type FoundMatches, findMatches} from './matches.ts';
import type {Scope} from './scope.ts';
import {refusal, type Report, type Steps} from './skill.ts';

export type Mark = 'TODO' | 'FIXME';
export const bothMarks: readonly Mark[] = ['TODO', 'FIXME'];

export interface Comments extends Pick<FoundMatches, 'notes'> {
  readonly comments: readonly Match[];
  /** Lines that were found but not shown, so that nobody knows whether they are comments. */
  readonly unseen: number;
}

export function isComments(value: Comments | Report): value is Comments {
  return 'comments' in value;
}

export function* findComments(scope: Scope, marks: readonly Mark[]): Steps<Comments | Report> {
  const found = yield* findMatches(String.raw`\b(?:${marks.join('|')})\b`, scope);
  if ('refused' in found) return refusal("the comments can't be searched", found.refused);
  const {matches, total, notes} = found;
  const comments = matches.filter((match) => isComment(match, marks));
  return {comments, notes, unseen: Math.max(0, total - matches.length)};
}

const prose = /\.(?:md|mdx|txt|rst|adoc|org)$/i;

/** In code a mark stands behind the sign of a comment; in prose it begins a line, or stands in a hidden comment. */
function isComment({path, text}: Match, marks: readonly Mark[]): boolean {
  const mark = `(?:${marks.join('|')})`;
  const pattern = prose.test(path)
    ? String.raw`^\s*(?:[-*+>]\s+|\d+\.\s+)*(?:\[[ xX]\]\s*)?[*_]{0,2}${mark}\b(?!\s+and\b)|<!--.*\b${mark}\b`
    : String.raw`(?:\/\/|\/\*|^\s*\*|#|<!--|--|;|%|"""|''').*\b${mark}\b`;
  return new RegExp(pattern).test(text);
}
