/**
 * Patterns for fast-glob that name the folders in which a glob can match, perhaps more, never fewer. They hold at most one
 * `*` a name and one `**`, so that the regular expressions made of them cannot run away. The files are matched by the glob.
 */

import type {Glob, Segment} from '../read/glob.ts';

export interface WalkPatterns {
  readonly patterns: readonly string[];
  /** Whether a glob names hidden files or folders. */
  readonly hidden: boolean;
}

export function walkPatternsOf(globs: readonly Glob[]): WalkPatterns {
  const alternatives = globs.flatMap((glob) => glob.alternatives).filter(({length}) => length > 0);
  return {
    patterns: [...new Set(alternatives.map(walkPattern))],
    hidden: alternatives.flat().some(namesHidden),
  };
}

/** All below the first `**` is walked. */
function walkPattern(segments: readonly Segment[]): string {
  const folders = segments.slice(0, -1);
  const globstar = segments.indexOf('globstar');
  const end = globstar < 0 ? ['*'] : ['**', '*'];
  return [...folders.slice(0, globstar < 0 ? undefined : globstar).map(folderName), ...end].join(
    '/',
  );
}

/** Other characters may mean something to fast-glob: a name that holds them is any name to it. */
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
