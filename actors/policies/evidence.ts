/** policy/evidence: refuses false claims, and changes of files that were not read. */

import type {Proposal} from '../../machines/domain/review.ts';
import type {Ballot} from '../../machines/questions/ballot.ts';
import type {CommandAnalysis} from './analysis/analysis.ts';
import type {Call} from './call.ts';
import {evidenceDiffRules} from './diff/diff-evidence.ts';
import {voteOnDiff} from './diff/diff-rule.ts';
import {
  hasRead,
  undeterminedTests,
  untrueDeletions,
  untrueTests,
  untrueWrites,
} from './fact-check.ts';
import {insidePath} from './inside.ts';
import {type PolicyInput, replacesFile, type Rule, vote} from './rule.ts';

export const evidenceRules: readonly Rule[] = [
  {
    id: 'edit-unread',
    refuses: '`edit_file` of a file that was not read before',
    safer: 'read the file with read_file first, then edit what was found there',
    find: (input) => unread(input, ({facts}) => facts.replaces !== undefined),
  },
  {
    id: 'overwrite-unread',
    refuses: '`write_file` over a file that exists and was not read before',
    safer: 'read the file with read_file first, or change a part of it with edit_file',
    find: (input) =>
      replacesFile(input) ? unread(input, ({facts}) => facts.replaces === undefined) : [],
  },
  {
    id: 'tests-claim',
    refuses:
      'a result that says that tests pass when no test command was run or the last one failed, or that something was tried out when nothing ran',
    safer: 'run the tests with run_command, or leave the claim out',
    find: (input) => (input.proposal.kind === 'result' ? untrueTests(input) : []),
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
    find: (input) => (input.proposal.kind === 'result' ? untrueWrites(input) : []),
  },
  {
    id: 'deletion-claim',
    refuses: 'a result that says that a file or folder was deleted when nothing deleted it',
    safer: 'delete the file, or leave the claim out',
    find: (input) => (input.proposal.kind === 'result' ? untrueDeletions(input) : []),
  },
];

export function evidence(proposal: Proposal, analysis: CommandAnalysis): Ballot {
  return proposal.kind === 'diff'
    ? voteOnDiff('evidence', evidenceDiffRules, proposal)
    : vote({name: 'evidence', rules: evidenceRules, doubts: undeterminedTests}, proposal, analysis);
}

/** Files that such a call would change although no earlier action has read them. */
function unread(input: PolicyInput, changes: (call: Call) => boolean): readonly string[] {
  const {calls, proposal} = input;
  const {workspace} = proposal.facts;
  if (proposal.kind === 'result') return [];
  return calls.flatMap((call, index) => {
    if (!changes(call)) return [];
    const earlier = calls.slice(0, index);
    // A reading task of a plan may read any file, while its arguments are open. Its calls are voted on later.
    if (proposal.kind === 'plan' && earlier.some(({facts}) => facts.reads !== undefined)) return [];
    const isRead = (path: string): boolean =>
      hasRead(input, path) ||
      earlier.some((other) => [...other.reads, ...other.writes].includes(path));
    return call.writes
      .map((path) => insidePath(path, workspace) ?? '')
      .filter((path) => path !== '' && !isRead(path))
      .map((path) => `${call.tool} ${path}, which this run has not read`);
  });
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
