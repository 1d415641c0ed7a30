/** A rule about a diff, and how a list of them becomes a ballot with comments on its lines. */

import {
  type AddedLine,
  addedLines,
  type Comment,
  type FileDiff,
} from '../../../machines/domain/patch.ts';
import type {Proposal} from '../../../machines/domain/review.ts';
import {type Severity} from '../../../machines/domain/severity.ts';
import type {Ballot} from '../../../machines/questions/ballot.ts';
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
  readonly find: (look: DiffLook) => readonly Finding[];
}

export interface DiffLook {
  readonly file: FileDiff;
  readonly added: readonly AddedLine[];
  /** What the change is for, in the words of whoever asks. */
  readonly focus: string;
}

/** The offending part of a line, if it has one. */
export type LineTest = (text: string) => string | undefined;

/** A rule about single lines that a diff adds. `test`: for a file with this path, if it is one that the rule looks at. */
export function lineRule(
  rule: Omit<DiffRule, 'find'> & {readonly test: (path: string) => LineTest | undefined},
): DiffRule {
  const {test, ...rest} = rule;
  const find = ({file, added}: DiffLook): Finding[] => {
    const offends = test(file.path);
    if (!offends) return [];
    return added.flatMap(({line, text}) => {
      const value = offends(text);
      return value === undefined ? [] : [{line, value}];
    });
  };
  return {...rest, find};
}

/** As many as a ballot may hold. */
const maxReasons = 20;
const maxComments = 200;

interface Remark {
  readonly by: DiffRule;
  /** In quotes. */
  readonly value: string;
  readonly comment: Comment;
}

/** Rejects for what is critical or major; what is minor is remarked on. */
export function voteOnDiff(policy: string, rules: readonly DiffRule[], proposal: Proposal): Ballot {
  const {diff = [], request} = proposal.facts;
  const remarks = diff.flatMap((file) => remarksOn(file, rules, request));
  const against = remarks.filter(({by}) => by.severity !== 'minor');
  const comments = remarks.slice(0, maxComments).map(({comment}) => comment);
  const [first] = against;
  if (!first) {
    const reason = `no rule refuses this ${proposal.kind}`;
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

function remarksOn(file: FileDiff, rules: readonly DiffRule[], focus: string): Remark[] {
  const look = {file, added: addedLines(file), focus};
  return rules.flatMap((rule) =>
    rule.find(look).map((finding) => remark(rule, file.path, finding)),
  );
}

function remark(rule: DiffRule, file: string, {line, value}: Finding): Remark {
  const {id, severity, safer} = rule;
  const quoted = shown(value);
  const message = `${id}: ${quoted}; better: ${safer}`;
  const place = line === undefined ? {file} : {file, line};
  return {by: rule, value: quoted, comment: {...place, severity, message, rule: id}};
}

/** The comment says it where it is; the reason says where that is. */
function reasonOf(policy: string, {by, comment, value}: Remark): string {
  const {file, line} = comment;
  return `${policy}/${by.id}: ${value} in ${file}${line === undefined ? '' : `:${line}`}`;
}
