/** Commands of version control that put other files in place of those that were looked at. */

import type {Word} from '../word.ts';

/** Which files it may change: those with changes, or all that a branch may hold. */
export type Unsettled = 'changed' | 'all';

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

/** `git -C folder --no-pager VERB`: from the verb on. */
function withoutOptions(args: readonly Word[]): readonly Word[] {
  const at = args.findIndex(
    ({text}, index) => !text.startsWith('-') && !/^-[Cc]$/.test(args[index - 1]?.text ?? ''),
  );
  return at < 0 ? [] : args.slice(at);
}

/** What is stashed goes back to what was recorded last; what is unpacked may be anything. */
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

/** From where one is: no file changes. */
function isNewBranch(words: readonly string[], option: RegExp): boolean {
  const [first, , ...more] = words.filter((word) => !/^(?:-q|--quiet|--no-track)$/.test(word));
  return first !== undefined && option.test(first) && more.length === 0;
}
