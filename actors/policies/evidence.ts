/** policy/evidence: refuses false claims, and changes of files that were not read. */

import {
  deletionClaims,
  type Doer,
  runClaims,
  testClaims,
  writeClaims,
} from '../../machines/claims/claims.ts';
import {commandIn, type Evidence} from '../../machines/domain/evidence.ts';
import type {Proposal} from '../../machines/domain/review.ts';
import type {Ballot} from '../../machines/questions/ballot.ts';
import {isExitOf, runsTests} from '../../tools/commands/known.ts';
import {
  changes,
  type Effect,
  type EffectKind,
  type Understanding,
  type Unknown,
} from '../../tools/commands/understanding.ts';
import type {CommandAnalysis} from './analysis/analysis.ts';
import {type Call, insidePath} from './call.ts';
import {
  type DiffLook,
  type DiffRule,
  type Finding,
  isTest,
  languageOf,
  lineRule,
  type LineTest,
  voteOnDiff,
} from './diff.ts';
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
function unread(input: PolicyInput, isChange: (call: Call) => boolean): readonly string[] {
  const {calls, proposal} = input;
  const {workspace} = proposal.facts;
  if (proposal.kind === 'result') return [];
  return calls.flatMap((call, index) => {
    if (!isChange(call)) return [];
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

// The actions that were done, from the facts of tools and the analysis of commands, and the claims of a result about them.

/** The claims of the result, and the reports of its tasks. */
export function claimsOf({claims, results = []}: Proposal['facts']): readonly string[] {
  return [...claims, ...results.flatMap(({isReport, text}) => (isReport ? [text] : []))];
}

type TestRun = 'passed' | 'failed' | 'undetermined' | 'none';

/** Claims that tests pass, although the last test run failed or none ran, and claims of a run, although nothing ran. */
function untrueTests(input: PolicyInput): readonly string[] {
  const claims = claimsOf(input.proposal.facts);
  const run = lastTestRun(input);
  const isFalse = (run === 'none' && !isReported(input)) || run === 'failed';
  return [
    ...(isFalse ? claims.flatMap(testClaims) : []),
    ...(hasRun(input) ? [] : claims.flatMap(runClaims)),
  ];
}

/** An answer may quote test results from one of its sources. */
function isReported({proposal}: PolicyInput): boolean {
  const {sources = []} = proposal.facts;
  return sources.some((text) => /\bpass|succe|\bgreen\b|\bok\b|成功|通/i.test(text));
}

function hasRun(input: PolicyInput): boolean {
  return deedsIn(input).some(({entry}) => entry.did === 'ran' || entry.did === 'spawned');
}

/** Claims about a last test run whose exit code is not the exit code of the tests: they may be true. */
function undeterminedTests(input: PolicyInput): readonly Unknown[] {
  if (input.proposal.kind !== 'result' || lastTestRun(input) !== 'undetermined') return [];
  const why = 'the exit code of the last test run was not the exit code of the tests';
  return claimsOf(input.proposal.facts)
    .flatMap(testClaims)
    .map((word) => ({word, why}));
}

function lastTestRun(input: PolicyInput): TestRun {
  const last = deedsIn(input).findLast(({command}) => command?.commands.some(runsTests));
  if (!last) return input.proposal.facts.evidence.some(mayRunTests) ? 'undetermined' : 'none';
  const {ok, exitCode = ok ? 0 : 1} = last.entry;
  const fate = ok && exitCode === 0 ? 'passed' : 'failed';
  return isDecisive(last, fate) ? fate : 'undetermined';
}

/** True for another interaction, and for a tool without a shell command: each may have run the tests. */
function mayRunTests(entry: Evidence): boolean {
  if (!entry.ok) return false;
  return entry.did === 'spawned' || (entry.did === 'ran' && commandIn(entry) === undefined);
}

function isDecisive({entry: {target}, command}: Deed, fate: 'passed' | 'failed'): boolean {
  const test = command?.commands.findLast((one) => runsTests(one) && target.includes(one.text));
  return isExitOf(test, target, fate);
}

/** Files that a claim says were written, although no action wrote them. */
function untrueWrites(input: PolicyInput): readonly string[] {
  const {facts} = input.proposal;
  const by = doerOf(input);
  return claimsOf(facts)
    .flatMap((text) => writeClaims(text, by))
    .filter((name) => !hasWritten(input, name) && !mayBeWritten(input, name));
}

/** Files and folders that a claim says were deleted, although no action deleted them. */
function untrueDeletions(input: PolicyInput): readonly string[] {
  const by = doerOf(input);
  return claimsOf(input.proposal.facts)
    .flatMap((text) => deletionClaims(text, by))
    .filter((name) => !hasDeleted(input, name) && !mayHaveDeleted(input, name));
}

/** A text about the project's history reports changes by others: `Fixed src/a.ts` may be the title of a commit. */
function doerOf(input: PolicyInput): Doer {
  const {evidence: recorded, sources} = input.proposal.facts;
  const hasReadHistory = recorded.some(
    ({did, target}) =>
      (did === 'read' && /\b(?:changelog|changes|history|news)\b/i.test(target)) ||
      (did === 'ran' && /\bgit\b[^|;&]*\b(?:log|show|blame|shortlog|whatchanged)\b/.test(target)),
  );
  if (hasReadHistory) return 'first person';
  return sources ? 'author' : 'anybody';
}

/** True if the file exists, git does not have this content, and code with unknown effects has run. */
function mayBeWritten(input: PolicyInput, name: string): boolean {
  const place = input.analysis.claimed[name];
  if (!place || place.state === 'absent' || place.state === 'clean') return false;
  return deedsIn(input).some(
    ({entry, command}) =>
      entry.ok &&
      command !== undefined &&
      (command.unknown.length > 0 || command.effects.some(({kind}) => kind === 'runs')),
  );
}

interface Deed {
  readonly entry: Evidence;
  /** The analysis of a command that ran. */
  readonly command: Understanding | undefined;
}

function deedsIn({proposal, analysis}: PolicyInput): readonly Deed[] {
  return proposal.facts.evidence.map((entry, at) => ({entry, command: analysis.done[at]}));
}

/** True if a successful action has read the file, searched a folder above it, or written it. */
function hasRead(input: PolicyInput, path: string): boolean {
  const {workspace} = input.proposal.facts;
  return deedsIn(input).some(({entry, command}) => {
    if (!entry.ok) return false;
    if (command) return command.effects.some((effect) => showsFile(effect, path));
    if (entry.did === 'ran' || entry.did === 'spawned') return false;
    const target = insidePath(entry.target, workspace);
    if (target === path) return true;
    return entry.did === 'read' && isBelow(path, target);
  });
}

function showsFile({kind, place, wide}: Effect, path: string): boolean {
  if (!place?.inside || (kind !== 'reads' && !changes.has(kind))) return false;
  return place.path === path || (kind === 'reads' && wide === true && isBelow(path, place.path));
}

/** False for the workspace itself: a search of the whole workspace does not count as reading a file. */
function isBelow(path: string, folder: string | undefined): boolean {
  return folder !== undefined && folder !== '' && path.startsWith(`${folder}/`);
}

/** True if a successful action has written the file that a text names by its path or the end of it. */
function hasWritten(input: PolicyInput, name: string): boolean {
  const {workspace} = input.proposal.facts;
  const claimed = insidePath(name, workspace) ?? name;
  const isIt = (path: string) => path === claimed || path.endsWith(`/${claimed}`);
  return deedsIn(input).some(({entry, command}) => {
    if (!entry.ok) return false;
    if (entry.did === 'wrote') return isIt(insidePath(entry.target, workspace) ?? entry.target);
    return (command?.effects ?? []).some(
      ({kind, place, wide}) =>
        changes.has(kind) &&
        place !== undefined &&
        (isIt(place.path) || (wide === true && isBelow(claimed, place.path))),
    );
  });
}

const removals: ReadonlySet<EffectKind> = new Set(['deletes', 'moves']);

/** True if a successful action has deleted or moved the file that a text names. */
function hasDeleted(input: PolicyInput, name: string): boolean {
  const claimed = insidePath(name, input.proposal.facts.workspace) ?? name;
  return deedsIn(input).some(
    ({entry, command}) =>
      entry.ok &&
      (command?.effects ?? []).some(
        ({kind, place}) =>
          removals.has(kind) &&
          place !== undefined &&
          (place.path === claimed ||
            place.path.endsWith(`/${claimed}`) ||
            isBelow(claimed, place.path)),
      ),
  );
}

/** Kinds of effects that may delete files without naming them. */
const mayRemove: ReadonlySet<EffectKind> = new Set(['discards', 'runs', 'alters', 'installs']);

/** True if the file does not exist, and a successful action may have deleted it. */
function mayHaveDeleted(input: PolicyInput, name: string): boolean {
  const place = input.analysis.claimed[name];
  if (place && place.state !== 'absent') return false;
  return deedsIn(input).some(({entry, command}) => {
    if (!entry.ok || entry.did === 'read') return false;
    if (entry.did === 'wrote') return entry.target.endsWith(name);
    if (!command) return true;
    return (
      command.unknown.length > 0 ||
      command.effects.some(({kind, wide}) => mayRemove.has(kind) || (removals.has(kind) && wide)) ||
      command.commands.some(
        ({args, text}) => /\b(?:rm|mv|find|git)\b/.test(text) && args.some(({pattern}) => pattern),
      )
    );
  });
}

// The rules of policy/evidence for diffs: signs of unfinished work, and of tests that do not run.

type Patterns = Readonly<Partial<Record<NonNullable<ReturnType<typeof languageOf>>, RegExp>>>;

const focused: Patterns = {
  js: /\b(?:describe|context|suite|it|test|specify)(?:\.\w{1,20})?\.only\s*\(|(?:^|[\s;(])(?:fdescribe|fcontext|fit)\s*\(/,
  ruby: /(?:^|\s)(?:fdescribe|fcontext|fit)\s|,\s*(?:focus:\s*true|:focus)\b/,
};

const disabled: Patterns = {
  js: /\b(?:describe|context|suite|it|test|specify)(?:\.\w{1,20})?\.(?:skip|todo)\s*\(|(?:^|[\s;(])(?:xdescribe|xcontext|xit|xtest)\s*\(/,
  python: /@(?:pytest\.mark\.(?:skip|xfail)|unittest\.skip)\b|\bpytest\.skip\s*\(/,
  ruby: /(?:^|\s)(?:xdescribe|xcontext|xit|pending)\s+['"]/,
  rust: /#\[ignore\b/,
  go: /\bt\.Skip(?:f|Now)?\(/,
  php: /\bmarkTest(?:Skipped|Incomplete)\s*\(/,
  jvm: /@(?:Ignore|Disabled)\b/,
};

const debuggers: Patterns = {
  js: /(?:^|[;{}])\s*debugger\s*(?:;|$)/,
  python: /(?:^|[\s;])(?:breakpoint\(\)|(?:i?pdb|pudb)\.set_trace\(\)|import\s+(?:i?pdb|pudb)\b)/,
  ruby: /\bbinding\.(?:pry|irb)\b|^\s*(?:byebug|debugger)\s*$/,
  rust: /\bdbg!\s*\(/,
  php: /(?:^|[\s;])(?:var_dump|dd|xdebug_break)\s*\(/,
};

const output: Patterns = {
  js: /(?:^|[\s;{(])console\.(?:log|debug|trace|dir|table)\s*\(/,
  jvm: /\bSystem\.(?:out|err)\.print|\.printStackTrace\(\)/,
};

export const evidenceDiffRules: readonly DiffRule[] = [
  {
    id: 'merge-marker',
    refuses: 'conflict markers of an unfinished merge: `<<<<<<<`, `>>>>>>>`, `|||||||`',
    safer: 'finish the merge',
    severity: 'critical',
    find: mergeMarkers,
  },
  lineRule({
    id: 'focused-test',
    refuses: 'a test that keeps all others from running: `it.only(`, `fdescribe(`, `fit(`',
    safer: 'remove the focus, so that all tests run',
    severity: 'major',
    test: matcher(focused),
  }),
  lineRule({
    id: 'disabled-test',
    refuses:
      'a disabled test: `it.skip(`, `xit(`, `@pytest.mark.skip`, `@Ignore`, `#[ignore]`, `t.Skip(`',
    safer: 'fix the test, or delete it and say why',
    severity: 'major',
    test: matcher(disabled),
  }),
  lineRule({
    id: 'debugger',
    refuses:
      'a debugger call that was left in the code: `debugger`, `breakpoint()`, `pdb.set_trace()`, `binding.pry`, `dbg!`',
    safer: 'remove it',
    severity: 'major',
    test: matcher(debuggers),
  }),
  lineRule({
    id: 'debug-output',
    refuses:
      'remarks on output that looks like a leftover of debugging: `console.log(` outside of tests and scripts',
    safer: 'remove it, or use the log',
    severity: 'minor',
    test: (path) => (isTest(path) || isTooling(path) ? undefined : matcher(output)(path)),
  }),
];

/** Ignores lines that are comments. */
function matcher(patterns: Patterns): (path: string) => LineTest | undefined {
  return (path) => {
    const language = languageOf(path);
    const pattern = language && patterns[language];
    return pattern && ((text) => (comment.test(text) ? undefined : pattern.exec(text)?.[0].trim()));
  };
}

const comment = /^\s*(?:\/\/|\/?\*|#(?!\[))/;

function isTooling(path: string): boolean {
  return /(?:^|\/)(?:scripts?|bin|cli|examples?|benchmarks?|bench)\//.test(path);
}

/** Ignores `=======`, which underlines headings in many texts: a conflict has the other markers as well. */
function mergeMarkers({added}: DiffLook): Finding[] {
  return added.flatMap(({line, text}) =>
    /^(?:<{7}|>{7}|\|{7})(?:\s|$)/.test(text) ? [{line, value: text}] : [],
  );
}
