/** A rule about a diff, and how a list of them becomes a ballot with comments on its lines. */

import type {Ballot} from '../../../machines/domain/ballot.ts';
import type {Comment, FileDiff, Severity} from '../../../machines/domain/patch.ts';
import {addedLines} from '../../../machines/domain/patch.ts';
import type {Proposal} from '../../../machines/domain/review.ts';
import {shown} from '../rule.ts';

/** A place that a rule speaks of. */
export interface Finding {
  /** Of the new file; absent: the whole file. */
  readonly line?: number;
  readonly value: string;
}

export interface DiffRule {
  readonly id: string;
  /** What it refuses, or remarks on, for the documentation. */
  readonly refuses: string;
  /** What to do instead. */
  readonly safer: string;
  /** `minor` is a remark: it refuses nothing. */
  readonly severity: Severity;
  readonly find: (file: FileDiff, proposal: Proposal) => readonly Finding[];
}

/** A rule about single lines that a diff adds. */
export function lineRule(
  rule: Omit<DiffRule, 'find'> & {
    readonly in?: (path: string) => boolean;
    /** The offending part of a line, if it has one. */
    readonly of: (text: string, path: string) => string | undefined;
  },
): DiffRule {
  const {in: isFor = () => true, of, ...rest} = rule;
  const find = (file: FileDiff): Finding[] =>
    isFor(file.path)
      ? addedLines(file).flatMap(({line, text}) => {
          const value = of(text, file.path);
          return value === undefined ? [] : [{line, value}];
        })
      : [];
  return {...rest, find};
}

/** As many as a ballot may hold. */
const maxReasons = 20;
const maxComments = 200;

interface Remark {
  readonly by: DiffRule;
  readonly comment: Comment;
}

/** Rejects for what is critical or major; what is minor is remarked on. */
export function voteOnDiff(policy: string, rules: readonly DiffRule[], proposal: Proposal): Ballot {
  const remarks = (proposal.facts.diff ?? []).flatMap((file) => remarksOn(file, rules, proposal));
  const against = remarks.filter(({by}) => by.severity !== 'minor');
  const comments = remarks.slice(0, maxComments).map(({comment}) => comment);
  const [first] = against;
  if (!first) {
    const reason = `no rule of policy/${policy} refuses this ${proposal.kind}`;
    return {verdict: 'approve', reasons: [reason], confidence: 0.9, ...some(comments)};
  }
  return {
    verdict: 'reject',
    reasons: against.slice(0, maxReasons).map((one) => reasonOf(policy, one)),
    confidence: 1,
    suggestedChange: first.by.safer,
    rules: [...new Set(against.map(({by}) => by.id))],
    ...some(comments),
  };
}

function some(comments: readonly Comment[]): Pick<Ballot, 'comments'> {
  return comments.length > 0 ? {comments} : {};
}

function remarksOn(file: FileDiff, rules: readonly DiffRule[], proposal: Proposal): Remark[] {
  return rules.flatMap((rule) =>
    rule.find(file, proposal).map((finding) => remark(rule, file.path, finding)),
  );
}

function remark(rule: DiffRule, file: string, {line, value}: Finding): Remark {
  const {id, severity, safer} = rule;
  const message = `${id}: ${shown(value)}; better: ${safer}`;
  const place = line === undefined ? {file} : {file, line};
  return {by: rule, comment: {...place, severity, message, rule: id}};
}

function reasonOf(policy: string, {comment}: Remark): string {
  const {file, line, message} = comment;
  return `policy/${policy}: ${file}${line === undefined ? '' : `:${line}`}: ${message}`;
}
