/** The rules of `.gitignore` files. Matched by our own globs: a hostile pattern can't take exponential time. */

import {compileGlob, type Glob, namesOf} from './glob.ts';

const maxRules = 1_000;
/** For all rules of one file together: each is compared with every path below. */
const maxStars = 1_000;

interface Rule {
  readonly glob: Glob;
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
}

/** The rules of one folder's file. */
export interface RuleSet {
  /** The number of components in the folder's path. */
  readonly depth: number;
  readonly rules: readonly Rule[];
}

/** Unsupported patterns, and those beyond the limit, are skipped: files that they would ignore are found. */
export function parseIgnoreFile(text: string, depth: number): RuleSet {
  let stars = 0;
  const rules = text
    .split(/\r?\n/)
    .slice(0, maxRules)
    .flatMap((line) => toRule(line))
    .filter(({glob}) => (stars += glob.stars) <= maxStars);
  return {depth, rules};
}

function toRule(line: string): Rule[] {
  const pattern = line.replace(/(?<!\\) +$/, '');
  if (pattern === '' || pattern.startsWith('#')) return [];
  const isNegated = pattern.startsWith('!');
  const isForFolders = pattern.endsWith('/');
  const body = pattern.slice(isNegated ? 1 : 0, isForFolders ? -1 : undefined);
  const isAnchored = body.includes('/');
  const path = body.replace(/^\//, '').replaceAll(/[{}]/g, String.raw`\$&`);
  const glob = compileGlob(isAnchored ? path : `**/${path}`, {hidden: true});
  return glob.ok && path !== '' ? [{glob: glob.value, isNegated, isForFolders}] : [];
}

/** The last rule that matches the path ignores it. `sets`: those of its folders, the outermost first. */
export function isIgnored(
  parts: readonly string[],
  isFolder: boolean,
  sets: readonly RuleSet[],
): boolean {
  const names = namesOf(parts);
  const rule = sets
    .toReversed()
    .map(({depth, rules}) => {
      const below = names.slice(depth);
      return rules.findLast(
        ({glob, isForFolders}) => (isFolder || !isForFolders) && glob.matchesNames(below),
      );
    })
    .find((found) => found !== undefined);
  return rule !== undefined && !rule.isNegated;
}
