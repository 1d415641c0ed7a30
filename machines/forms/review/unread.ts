/** The parts of a diff that no reviewer has read: a fact of the vote, and not only of its display. */

import {countLines, type FileDiff, type Unread} from '../../domain/patch.ts';
import type {ReviewRound} from '../../domain/review.ts';
import {secretIn} from '../../places/secrets.ts';
import {isLockFile} from './parts.ts';

/**
 * Without files that a policy has read whole and does not reject. `isByRule`: the policies alone review, and they read every
 * line as it is.
 */
export function unreadIn(
  files: readonly FileDiff[],
  rounds: readonly ReviewRound[],
  isByRule: boolean,
): Unread[] {
  const byRule = readByRule(rounds);
  return files.flatMap((file): Unread[] => {
    const {path, did, isBinary, hunks} = file;
    const {added, removed} = countLines(file);
    if (did === 'deleted' && isBinary) return [];
    if (isBinary) return [{file: path, lines: 0, why: 'it is binary'}];
    if (isLockFile(path)) {
      const isRead = hunks.length === 0 || byRule.has(path);
      const why = 'it is a lock file, which models do not read';
      return isRead ? [] : [{file: path, lines: added + removed, why}];
    }
    const masked = hunks.flatMap(({lines}) => lines).filter((line) => secretIn(line) !== undefined);
    if (isByRule || masked.length === 0 || isRejectedByPolicy(rounds)) return [];
    return [{file: path, lines: masked.length, why: 'secrets in it are masked'}];
  });
}

/** Paths of files that a policy has read whole, in votes that no policy rejects. */
export function readByRule(rounds: readonly ReviewRound[]): ReadonlySet<string> {
  const ballots = rounds.flatMap(({votes, screened = []}) => [...votes, ...screened]);
  return new Set(ballots.flatMap(({verdict, read = []}) => (verdict === 'approve' ? read : [])));
}

function isRejectedByPolicy(rounds: readonly ReviewRound[]): boolean {
  return rounds.some(({votes, screened = []}) =>
    [...votes, ...screened].some(({verdict, rules}) => verdict === 'reject' && rules !== undefined),
  );
}

const maxNamed = 5;

/** `dist/app.bin: it is binary; yarn.lock: 12 lines, it is a lock file, which models do not read` */
export function unreadText(unread: readonly Unread[]): string {
  const named = unread.slice(0, maxNamed).map(({file, lines, why}) => {
    const count = lines === 0 ? '' : `${lines === 1 ? '1 line' : `${lines} lines`}, `;
    return `${file}: ${count}${why}`;
  });
  const more = unread.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
