/**
 * Patterns for fast-glob that select the folders in which a glob can match, perhaps more, never fewer. They contain at most one
 * `*` per name and one `**`, so the regular expressions made from them stay fast. The glob itself matches the files.
 */

import type {Glob, Segment} from '../../read/glob.ts';

export interface WalkPatterns {
  readonly patterns: readonly string[];
  /** A glob names hidden files or folders. */
  readonly hidden: boolean;
}

export function walkPatternsOf(globs: readonly Glob[]): WalkPatterns {
  const alternatives = globs.flatMap((glob) => glob.alternatives).filter(({length}) => length > 0);
  return {
    patterns: [...new Set(alternatives.flatMap(walkPatterns))],
    hidden: alternatives.flat().some(namesHidden),
  };
}

/** Everything below the first `**` is walked. At the end `**` may match no name: `a/**` matches a file `a`. */
function walkPatterns(segments: readonly Segment[]): string[] {
  const globstar = segments.indexOf('globstar');
  if (globstar < 0) return [[...segments.slice(0, -1).map(folderName), '*'].join('/')];
  const above = segments.slice(0, globstar);
  const below = [...above.map(folderName), '**', '*'].join('/');
  const isLast = segments.slice(globstar).every((segment) => segment === 'globstar');
  return isLast && above.length > 0 ? [below, ...walkPatterns(above)] : [below];
}

/** Other characters may be special to fast-glob: a name with such characters becomes `*`. */
const plainName = /^[\p{L}\p{M}\p{N} _.,~#%&=-]*\*?[\p{L}\p{M}\p{N} _.,~#%&=-]*$/u;

function folderName(segment: Segment): string {
  if (segment === 'globstar') return '**';
  const text = segment.map(tokenText).join('');
  return plainName.test(text) ? text : '*';
}

function tokenText(token: Exclude<Segment, string>[number]): string {
  if (token.kind === 'star') return '*';
  return token.kind === 'text' && token.char !== '*' ? token.char : '?';
}

function namesHidden(segment: Segment): boolean {
  if (segment === 'globstar') return false;
  const [first] = segment;
  return first?.kind === 'text' && first.char === '.';
}
