/** The report of a review: the votes on all parts, combined. */

import {
  type Comment,
  countLines,
  type FileDiff,
  severities,
  type Severity,
  type Unread,
} from '../../domain/patch.ts';
import type {DiffReview, DiffVote} from '../../domain/result.ts';
import {type ModelVote, type ReviewRound, unjudgedIn, vetoText} from '../../domain/review.ts';
import type {Verdict} from '../../panel/rule.ts';
import {secretIn} from '../../places/secrets.ts';
import {isLockFile, type Part} from './parts.ts';

type SeatComment = Comment & {readonly seat: string};

/** `rejected` if any part is rejected, otherwise `noQuorum` if any part is undecided. */
export function verdictOfParts(rounds: readonly ReviewRound[]): Verdict {
  const verdicts = new Set(rounds.map(({verdict}) => verdict));
  if (verdicts.has('rejected')) return 'rejected';
  return verdicts.has('noQuorum') ? 'noQuorum' : 'approved';
}

export interface Reviewed {
  /** Absolute. */
  readonly workspace: string;
  readonly files: readonly FileDiff[];
  readonly parts: readonly Part[];
  /** The rounds of the parts with a vote, in any order. */
  readonly rounds: readonly ReviewRound[];
  readonly rule: string;
  /** A model should have read the diff, but none did. */
  readonly isUnread: boolean;
  /** The policies alone review it. */
  readonly isByRule: boolean;
  /** A person accepts that something is not read. */
  readonly allowUnread: boolean;
}

export function reportOf(reviewed: Reviewed): DiffReview {
  const {parts, rule} = reviewed;
  const rounds = inOrder(reviewed);
  const verdict = verdictOfParts(rounds);
  const comments = commentsIn(reviewed, rounds);
  const unread = unreadIn(reviewed.files, rounds, reviewed.isByRule);
  return {
    approved:
      verdict === 'approved' &&
      rounds.length === parts.length &&
      (unread.length === 0 || reviewed.allowUnread),
    rule,
    votes: rounds.flatMap((round) => votesIn(round, parts)),
    comments,
    synthesis: synthesisOf(reviewed, unread, comments),
    unread,
    degraded:
      verdict === 'noQuorum' ||
      rounds.length < parts.length ||
      isUnreadIn(reviewed) ||
      unread.length > 0 ||
      rounds.some(({degraded}) => degraded),
  };
}

function votesIn({title, proposalHash, votes}: ReviewRound, parts: readonly Part[]): DiffVote[] {
  const part = parts.find(({hash}) => hash === proposalHash);
  const file = part?.files[0]?.path ?? '';
  return votes.map((vote) => ({...withoutComments(vote), part: title, file}));
}

/** The report lists all comments together, in `comments`. */
function withoutComments(vote: ModelVote): ModelVote {
  const {comments: _, ...rest} = vote;
  return rest;
}

function inOrder({parts, rounds}: Reviewed): ReviewRound[] {
  return parts.flatMap(({hash}) => rounds.find(({proposalHash}) => proposalHash === hash) ?? []);
}

/**
 * All comments. One on a line outside the diff becomes a comment on the file, one on a file outside the diff a comment on
 * the whole diff, whose `file` is empty; both name the place.
 */
function commentsIn(
  {files, workspace}: Pick<Reviewed, 'files' | 'workspace'>,
  rounds: readonly ReviewRound[],
): SeatComment[] {
  const all = rounds.flatMap(saidIn).map((comment) => {
    const file = fileNamed(comment.file, files, workspace);
    return file ? placed({...comment, file: file.path}, file) : onWhole(comment);
  });
  const unique = [...new Map(all.map((comment) => [JSON.stringify(comment), comment])).values()];
  const order = new Map(files.map(({path}, index) => [path, index]));
  const rank = ({file}: SeatComment): number => order.get(file) ?? files.length;
  return unique.toSorted((a, b) => rank(a) - rank(b) || (a.line ?? 0) - (b.line ?? 0));
}

/** All comments of a round. A policy with a seat that also screens gives the same comments twice. */
function saidIn({votes, screened = []}: ReviewRound): SeatComment[] {
  const said = [
    ...screened.map(({policy, comments = []}) => ({seat: policy, comments})),
    ...votes.map(({model, comments = []}) => ({seat: model, comments})),
  ];
  return said.flatMap(({seat, comments}) => comments.map((comment) => ({...comment, seat})));
}

/** The file that a model means, also by its old name, or with a prefix that diffs, shells and editors write. */
function fileNamed(
  named: string,
  files: readonly FileDiff[],
  workspace: string,
): FileDiff | undefined {
  const place = `${workspace.replaceAll('\\', '/')}/`;
  const path = named.replaceAll('\\', '/');
  const below = (path.startsWith(place) ? path.slice(place.length) : path).replace(
    /^(?:\.?\/)+/,
    '',
  );
  const names = [named, below, below.replace(/^[ab]\//, '')];
  return names
    .flatMap((name) => [
      files.find((file) => file.path === name),
      files.find(({from}) => from === name),
    ])
    .find((file) => file !== undefined);
}

function onWhole({line, file, message, ...comment}: SeatComment): SeatComment {
  const place = line === undefined ? file : `${file}:${line}`;
  return {
    ...comment,
    file: '',
    message: file === '' ? message : `on ${place}, which is not in the diff: ${message}`,
  };
}

function placed({line, ...comment}: SeatComment, {hunks}: FileDiff): SeatComment {
  const isThere =
    line !== undefined &&
    hunks.some(({newStart, lines}) => {
      const length = lines.filter((text) => /^[ +]/.test(text)).length;
      return line >= newStart && line < newStart + length;
    });
  if (isThere) return {...comment, line};
  if (line === undefined) return comment;
  return {...comment, message: `on line ${line}, outside the diff: ${comment.message}`};
}

function isUnreadIn({isUnread, parts}: Reviewed): boolean {
  return isUnread && parts.length > 0;
}

function synthesisOf(
  reviewed: Reviewed,
  unread: readonly Unread[],
  comments: readonly SeatComment[],
): string {
  const {parts, rounds, files, allowUnread} = reviewed;
  if (parts.length === 0) return 'The diff is empty: there is nothing to review.';
  const against = rounds.filter(({approved}) => !approved);
  const open = parts.length - rounds.length;
  const isApproved = against.length === 0 && open === 0;
  return [
    isApproved ? approvalOf(rounds, unread.length > 0 && !allowUnread) : '',
    unread.length === 0 ? '' : `Not read: ${unreadText(unread)}.`,
    ...byRuleAlone(files, rounds),
    ...against.map((round) => `${round.title}: ${whyNot(round)}.`),
    isUnreadIn(reviewed) && !isApproved ? 'No model has read the diff.' : '',
    open === 0 ? '' : `${open} of ${parts.length} parts were not decided.`,
    countText(comments),
  ]
    .filter((text) => text !== '')
    .join('\n');
}

function byRuleAlone(files: readonly FileDiff[], rounds: readonly ReviewRound[]): string[] {
  const read = readByRule(rounds);
  const named = files.flatMap(({path}) => (read.has(path) ? [path] : []));
  return named.length === 0 ? [] : [`Read by rule alone: ${[...new Set(named)].join(', ')}.`];
}

function approvalOf(rounds: readonly ReviewRound[], isPartial: boolean): string {
  if (isPartial) {
    return 'No reviewer rejects it, but part of the diff was not read: --allow-unread accepts that.';
  }
  const isByRule = rounds.every(({votes}) => votes.every(({model}) => model.startsWith('policy/')));
  if (isByRule) return 'The policy reviewers found nothing; no model has read the diff.';
  return `The panel approves ${rounds.length === 1 ? 'the diff' : `all ${rounds.length} parts`}.`;
}

function whyNot(round: ReviewRound): string {
  const veto = vetoText(round);
  if (veto !== undefined) return veto;
  return round.verdict === 'noQuorum'
    ? `${unjudgedIn(round).join('; ') || 'too few seats voted'} (${round.summary})`
    : `rejected ${round.summary}`;
}

function countText(comments: readonly SeatComment[]): string {
  const count = (severity: Severity): number =>
    comments.filter((comment) => comment.severity === severity).length;
  const named = severities.filter((severity) => count(severity) > 0);
  if (named.length === 0) return '';
  const total = comments.length === 1 ? '1 comment' : `${comments.length} comments`;
  return `${total}: ${named.map((severity) => `${count(severity)} ${severity}`).join(', ')}.`;
}

// The parts of a diff that no reviewer has read: a fact of the vote, and not only of its display.

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
function readByRule(rounds: readonly ReviewRound[]): ReadonlySet<string> {
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
function unreadText(unread: readonly Unread[]): string {
  const named = unread.slice(0, maxNamed).map(({file, lines, why}) => {
    const count = lines === 0 ? '' : `${lines === 1 ? '1 line' : `${lines} lines`}, `;
    return `${file}: ${count}${why}`;
  });
  const more = unread.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
