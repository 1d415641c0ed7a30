/** policy/evidence: refuses what is claimed or overwritten without having been read or run. */

import type {Ballot} from '../../machines/domain/ballot.ts';
import {commandIn, type Evidence} from '../../machines/domain/evidence.ts';
import type {Proposal} from '../../machines/domain/review.ts';
import {isNamed, pathsIn} from './bounds.ts';
import {evidenceDiffRules} from './diff/diff-evidence.ts';
import {voteOnDiff} from './diff/diff-rule.ts';
import {insidePath, writtenBy} from './paths.ts';
import {plain} from './request.ts';
import {type Call, type Look, replacesFile, type Rule, vote} from './rule.ts';

export const evidenceRules: readonly Rule[] = [
  {
    id: 'edit-unread',
    refuses: '`edit_file` of a file that was not read before',
    safer: 'read the file with read_file first, then edit what was found there',
    find: (look) => unread(look, ({facts}) => facts.replaces !== undefined),
  },
  {
    id: 'overwrite-unread',
    refuses: '`write_file` over a file that exists and was not read before',
    safer: 'read the file with read_file first, or change a part of it with edit_file',
    find: (look) =>
      replacesFile(look) ? unread(look, ({facts}) => facts.replaces === undefined) : [],
  },
  {
    id: 'blind-redirect',
    refuses:
      'replacing a file by a shell redirection (`echo x > FILE`) without having read it, unless the request names the file',
    safer: 'use write_file, whose diff the panel sees; the output of a command is reported anyway',
    find: blindRedirects,
  },
  {
    id: 'tests-claim',
    refuses:
      'a result that says that tests pass when no test command was run, or the last one failed',
    safer: 'run the tests with run_command, or leave the claim out',
    find: ({proposal}) => (proposal.kind === 'result' ? testClaims(proposal) : []),
  },
  {
    id: 'failure-hidden',
    refuses: 'a result that claims success while a task failed, and does not say so',
    safer: 'name the tasks that failed and why',
    find: ({proposal}) => (proposal.kind === 'result' ? hiddenFailures(proposal) : []),
  },
  {
    id: 'write-claim',
    refuses: 'a result that says that a file was written or changed when nothing wrote it',
    safer: 'write the file, or leave the claim out',
    find: ({proposal}) => (proposal.kind === 'result' ? writeClaims(proposal) : []),
  },
];

export function evidence(proposal: Proposal): Ballot {
  return proposal.kind === 'diff'
    ? voteOnDiff('evidence', evidenceDiffRules, proposal)
    : vote('evidence', evidenceRules, proposal);
}

/** Files that such a call would change though nothing before it has read them. */
function unread({calls, proposal}: Look, changes: (call: Call) => boolean): readonly string[] {
  const {evidence: done, workspace} = proposal.facts;
  if (proposal.kind === 'result') return [];
  return calls.flatMap((call, index) => {
    if (!changes(call)) return [];
    const earlier = calls.slice(0, index);
    // A plan's task without arguments may read anything: its own calls are voted on when they come.
    if (proposal.kind === 'plan' && earlier.some(({facts}) => facts.reads !== undefined)) return [];
    const isRead = (path: string): boolean =>
      done.some((entry) => reads(entry, path, workspace)) ||
      earlier.some((other) => [...other.reads, ...other.writes].includes(path));
    return call.writes
      .map((path) => insidePath(path, workspace) ?? '')
      .filter((path) => path !== '' && !isRead(path))
      .map((path) => `${call.tool} ${path}`);
  });
}

/** Evidence that names the file: a read, a search in it, an earlier write of it, a command with its name. */
function reads(entry: Evidence, path: string, workspace: string): boolean {
  if (!entry.ok) return false;
  const words = commandIn(entry)?.split(/[\s'"]+/);
  if (words) return words.some((word) => word.replace(/^\.\//, '') === path);
  const target = insidePath(entry.target, workspace);
  if (target === path) return true;
  return entry.did === 'read' && target !== '' && path.startsWith(`${target}/`);
}

function blindRedirects({calls, proposal}: Look): readonly string[] {
  const {request, evidence: done, workspace} = proposal.facts;
  if (proposal.kind === 'result') return [];
  return calls.flatMap((call) =>
    redirected(call).filter((text) => {
      const path = insidePath(text, workspace, insidePath(call.folder, workspace));
      if (
        path === undefined ||
        isNamed(path, [...pathsIn(plain(request)), ...wordsOf(plain(request))])
      )
        return false;
      return !done.some((entry) => reads(entry, path, workspace));
    }),
  );
}

function wordsOf(text: string): readonly string[] {
  return text.split(/[\s`"'“”「」,;:()<>|&=]+|\.(?:\s|$)/).filter((word) => word !== '');
}

/** Targets of redirections that replace, of commands that run now. */
function redirected({script, isWritten}: Call): readonly string[] {
  if (isWritten) return [];
  return (script?.commands ?? []).flatMap((command) => {
    const replacing = command.redirects.filter(({operator}) => /^(?:>|>\||&>)$/.test(operator));
    const targets = new Set(writtenBy(command).map(({text}) => text));
    return replacing.map(({target}) => target.text).filter((text) => targets.has(text));
  });
}

const testsPass =
  /(?<!\b(?:whether|if|until|unless|that|so|ensure|make|no|not all)\s+(?:all\s+)?(?:the\s+)?)\b(?:(?:all|the|every|\d+|unit|integration)\s+)*tests?(?:\s+suite)?\s+(?:now\s+|all\s+|still\s+|have\s+|has\s+)*(?:pass(?:ed|es|ing)?|succeed(?:ed|s)?|(?:are|is)\s+(?:now\s+)?(?:green|passing))\b|\ball green\b|テスト(?:は|が)?(?:すべて|全て|全部)?(?:通|成功|パス)/i;
const testCommand =
  /\b(?:test\w*|spec|check|verify|ci|vitest|jest|mocha|ava|pytest|tox|ctest|rspec|phpunit|playwright|cypress|make|gradlew?|mvn|build|bazel)\b/i;

/** What the result says of itself, and what those who worked say that they did. */
function claimsOf({claims, results = []}: Proposal['facts']): readonly string[] {
  return [...claims, ...results.flatMap(({isReport, text}) => (isReport ? [text] : []))];
}

function testClaims({facts}: Proposal): readonly string[] {
  const claims = claimsOf(facts).flatMap((claim) => testsPass.exec(plain(claim))?.[0] ?? []);
  const last = facts.evidence.findLast((entry) => testCommand.test(commandIn(entry) ?? ''));
  return last?.ok === true ? [] : claims;
}

function hiddenFailures({facts}: Proposal): readonly string[] {
  const failed = (facts.results ?? []).filter(({succeeded}) => !succeeded);
  const claims = facts.claims.join('\n');
  const admits =
    /\bfail\w*|\bcould not\b|\bcouldn't\b|\bnot (?:completed|done|reached|finished|all)\b|\bskipped\b|\bunable\b|\berrors?\b|失敗|できませんでした|未完了/i.test(
      claims,
    );
  if (admits || claims.trim() === '') return [];
  return failed.map(({task, text}) => `task ${task} failed: ${text}`);
}

const wrote =
  /\b(?:wrote|created|updated|edited|saved|appended to|modified|rewrote|changed|generated|replaced .{1,60} in)\s+(?:the\s+|a\s+|an\s+|new\s+|file\s+|it\s+to\s+)*([`"']?[\w@./-]+\.\w{1,8}\b)/gi;

function writeClaims({facts}: Proposal): readonly string[] {
  const written = facts.evidence.filter(({did, ok}) => ok && (did === 'wrote' || did === 'ran'));
  return claimsOf(facts).flatMap((claim) =>
    [...plain(claim).matchAll(wrote)]
      .map(([, path]) => (path ?? '').replace(/^[`"']|^\.\//, ''))
      .filter((path) => !written.some(({target}) => target.includes(path))),
  );
}
