/** `git commit --amend`: replaces the last commit with another. */

import type {Shell} from '../walk/shell.ts';
import type {Worker} from './place-acts.ts';

/** Rewriting the commit changes the history of others only if it was published. */
export async function amend(shell: Shell, {folder, by, name}: Worker): Promise<void> {
  const isPublished = folder === undefined ? undefined : await shell.places.isPublished(folder);
  if (isPublished === undefined) {
    const why = 'whether a remote repository has the commit that it changes is not known';
    return shell.ledger.miss({word: `${name} commit --amend`, why});
  }
  shell.ledger.add({
    kind: isPublished ? 'discards' : 'records',
    target: isPublished ? 'history' : 'the last commit',
    by,
  });
}
