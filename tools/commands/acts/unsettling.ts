/** Commands of version control that replace files that were looked at before. */

import type {Word} from '../word.ts';

/** The command may change: only files with changes, all files of a branch, or which folders exist. */
export type Unsettled = 'changed' | 'all' | 'folders';

interface Called {
  readonly name: Word;
  readonly args: readonly Word[];
}

export function unsettledBy({name, args}: Called): Unsettled | undefined {
  if (name.text === 'gh') return args.some(({text}) => text === 'checkout') ? 'all' : undefined;
  if (/^(?:hg|svn|jj)$/.test(name.text)) return 'all';
  if (name.text !== 'git') return undefined;
  const [verb, ...rest] = withoutOptions(args);
  if (!verb) return undefined;
  if (!verb.known) return 'all';
  if (verb.text === 'stash') return stashed(rest);
  return moving[verb.text]?.(rest.map(({text}) => text)) === true ? 'all' : undefined;
}

/** The arguments from the verb on: `git -C folder --no-pager VERB`. */
function withoutOptions(args: readonly Word[]): readonly Word[] {
  const at = args.findIndex(
    ({text}, index) => !text.startsWith('-') && !/^-[Cc]$/.test(args[index - 1]?.text ?? ''),
  );
  return at < 0 ? [] : args.slice(at);
}

/** `git stash` returns files to the last recorded version; unpacking a stash may bring anything. */
function stashed([verb]: readonly Word[]): Unsettled | undefined {
  if (!verb || /^(?:-.*|push|save)$/.test(verb.text)) return 'changed';
  return /^(?:list|show|drop|clear|create|store)$/.test(verb.text) ? undefined : 'all';
}

const always = () => true;

const moving: Readonly<Record<string, (words: readonly string[]) => boolean>> = {
  checkout: (words) => !isNewBranch(words, /^-[bB]$/),
  switch: (words) => !isNewBranch(words, /^(?:-[cC]|--create)$/),
  reset: (words) => !words.includes('--soft'),
  rm: (words) => words.includes('--cached'),
  apply: (words) => !words.some((word) => /^--(?:check|stat|numstat|summary)$/.test(word)),
  bisect: ([verb = '']) => !/^(?:log|visualize|view)$/.test(verb),
  submodule: ([verb = '']) => !/^(?:status|summary|)$/.test(verb),
  am: always,
  'checkout-index': always,
  'cherry-pick': always,
  merge: always,
  pull: always,
  'read-tree': always,
  rebase: always,
  restore: always,
  revert: always,
  'sparse-checkout': always,
  subtree: always,
};

/** A new branch starts at the current commit, so no file changes. */
function isNewBranch(words: readonly string[], option: RegExp): boolean {
  const [first, , ...more] = words.filter((word) => !/^(?:-q|--quiet|--no-track)$/.test(word));
  return first !== undefined && option.test(first) && more.length === 0;
}
