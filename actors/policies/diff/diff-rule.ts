/** Rules about diffs, and the ballot with comments on lines that results from them. */

import {
  type AddedLine,
  addedLines,
  type Comment,
  type FileDiff,
  type Severity,
} from '../../../machines/domain/patch.ts';
import type {Proposal} from '../../../machines/domain/review.ts';
import type {Ballot} from '../../../machines/questions/ballot.ts';
import {shown} from '../rule.ts';

/** A place where a rule applies. */
export interface Finding {
  /** A line number of the new file. Absent: the whole file. */
  readonly line?: number;
  readonly value: string;
}

export interface DiffRule {
  readonly id: string;
  /** The text that the rule refuses or remarks on, for the documentation. */
  readonly refuses: string;
  /** An alternative, for the author. */
  readonly safer: string;
  /** `minor`: a remark, which does not reject the diff. */
  readonly severity: Severity;
  readonly find: (look: DiffLook) => readonly Finding[];
  /** True for a file that no model needs to read, because this rule reads all of it. */
  readonly readsWhole?: (file: FileDiff) => boolean;
}

export interface DiffLook {
  readonly file: FileDiff;
  readonly added: readonly AddedLine[];
  /** The purpose of the change, as the request states it. */
  readonly focus: string;
}

/** Returns the offending part of a line, if there is one. */
export type LineTest = (text: string) => string | undefined;

/** A rule about single added lines. `test` returns the check for a file, or undefined if the rule ignores the file. */
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

/** The most reasons and comments of a ballot. */
const maxReasons = 20;
const maxComments = 200;

interface Remark {
  readonly by: DiffRule;
  /** Escaped and in quotes. */
  readonly value: string;
  readonly comment: Comment;
}

/** Rejects for critical and major findings. Minor findings become comments only. */
export function voteOnDiff(policy: string, rules: readonly DiffRule[], proposal: Proposal): Ballot {
  const {diff = [], request} = proposal.facts;
  const remarks = diff.flatMap((file) => remarksOn(file, rules, request));
  const against = remarks.filter(({by}) => by.severity !== 'minor');
  const comments = remarks.slice(0, maxComments).map(({comment}) => comment);
  const [first] = against;
  const whole = diff.filter((file) => rules.some(({readsWhole}) => readsWhole?.(file)));
  const read = whole.length > 0 ? {read: whole.map(({path}) => path)} : {};
  if (!first) {
    const reason = `no rule refuses this ${proposal.kind}`;
    return {verdict: 'approve', reasons: [reason], confidence: 0.9, ...read, ...some(comments)};
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

/** The comment is attached to its line, so only the reason names the file and the line. */
function reasonOf(policy: string, {by, comment, value}: Remark): string {
  const {file, line} = comment;
  return `${policy}/${by.id}: ${value} in ${file}${line === undefined ? '' : `:${line}`}`;
}

// Classifies files by path, for rules about diffs.

/** True for text for people, in which code is an example. */
export function isProse(path: string): boolean {
  return /\.(?:md|mdx|markdown|txt|rst|adoc|org|tex|html?|svg|po)$/i.test(path);
}

/** True for files whose lines are or contain commands: scripts, CI, Makefiles, Dockerfiles, manifests. */
export function isCommandFile(path: string): boolean {
  return /\.(?:sh|bash|zsh|ksh|fish|ps1|bat|cmd|mk|ya?ml)$|(?:^|\/)(?:package\.json|[Mm]akefile|GNUmakefile|[Jj]ustfile|(?:[\w.-]+\.)?[Dd]ockerfile(?:\.[\w-]+)?|Containerfile|Jenkinsfile|Procfile|Vagrantfile|\.husky\/[\w-]+|\.githooks\/[\w-]+)$/.test(
    path,
  );
}

export function isTest(path: string): boolean {
  return /(?:^|[/._-])(?:tests?|specs?|__tests__|e2e)(?:[/._-]|$)|(?:^|\/)test_\w+\.py$|_test\.\w+$|Tests?\.(?:java|kt|cs|swift)$/.test(
    path,
  );
}

/** The language of the file, if rules know its tests or debuggers. */
export function languageOf(
  path: string,
): 'js' | 'python' | 'ruby' | 'rust' | 'go' | 'php' | 'jvm' | undefined {
  const [, ending = ''] = /\.(\w+)$/.exec(path) ?? [];
  if (/^(?:[cm]?[jt]sx?|vue|svelte|astro)$/.test(ending)) return 'js';
  if (/^pyi?$/.test(ending)) return 'python';
  if (/^(?:rb|rake)$/.test(ending)) return 'ruby';
  if (/^(?:java|kt|kts|scala|groovy)$/.test(ending)) return 'jvm';
  return (['go', 'php', 'rust'] as const).find(
    (language) => language === ending || (language === 'rust' && ending === 'rs'),
  );
}
