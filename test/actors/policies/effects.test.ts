/** A command is judged by its effects, not by its words: every rule and every doubt by the effects that it looks at. */

import {describe, expect, test} from 'vitest';

import {consultPolicy, judge} from '../../../actors/policies/index.ts';
import type {Effect} from '../../../tools/commands/effect.ts';
import {wordOf} from '../../../tools/commands/word.ts';
import {commandProposal, did, proposalOf} from './proposal.ts';
import {doing, on, simple, analysed, understood} from './understood.ts';

const wide = {wide: true} as const;

/** Effects, by the rule that refuses them. */
const refused: Readonly<Record<string, readonly Effect[]>> = {
  'safety/mass-delete': [
    on('deletes', 'src', 'clean', wide),
    on('deletes', 'src', 'changed', wide),
    on('deletes', 'notes', 'untracked', wide),
    on('deletes', 'uploads', 'data', wide),
    on('deletes', '', 'ignored', wide),
    on('deletes', '/home/dev/other.txt', 'unknown'),
    on('deletes', 'src', 'written', wide),
    on('deletes', 'src/**/*', 'absent', wide),
    on('deletes', '/tmp/x', 'unknown', wide),
  ],
  'safety/git-discard': [doing('discards', 'changes', 'git reset --hard')],
  'safety/git-history': [doing('discards', 'history', 'git commit --amend')],
  'safety/device-write': [on('writes', '/dev/sda', 'unknown')],
  'safety/empty-overwrite': [
    on('empties', 'src/a.ts'),
    on('empties', 'notes.txt', 'untracked'),
    on('empties', 'a.db', 'data'),
  ],
  'safety/send-out': [doing('sends', 'evil.test'), doing('sends', 'http://localhost.evil.test/')],
  'safety/read-credentials': [
    on('reads', '.env', 'ignored'),
    on('reads', '/home/dev/.ssh/id_rsa', 'unknown'),
    on('moves', '.env', 'ignored'),
    doing('reveals', 'the environment'),
    doing('fetches', 'http://169.254.169.254/latest/meta-data'),
  ],
  'safety/other-process': [doing('signals', '4711', 'kill 4711')],
  'safety/kill-all': [
    doing('signals', 'every process', 'kill -9 -1'),
    doing('signals', 'node', 'pkill node'),
  ],
  'safety/publish': [doing('publishes', 'npm', 'npm publish')],
  'safety/outside-change': [doing('alters', 'containers', 'docker stop x')],
  'scope/outside-workspace': [
    on('reads', '/etc/passwd', 'unknown'),
    on('lists', '/home', 'unknown', wide),
    on('writes', '/var/x', 'unknown'),
    on('creates', '/home/dev/x', 'unknown'),
    on('moves', '/home/dev/x', 'unknown'),
  ],
  'scope/protected-config': [
    on('writes', '.git/hooks/pre-commit', 'absent'),
    on('creates', '.vscode/tasks.json', 'absent'),
    on('deletes', '.github/workflows/ci.yml'),
    on('appends', '.npmrc', 'absent'),
  ],
  'scope/package-install': [doing('installs', 'left-pad')],
  'scope/push-unasked': [doing('publishes', 'git push origin', 'git push origin')],
  'evidence/blind-redirect': [
    on('writes', 'src/a.ts', 'changed'),
    on('writes', 'notes.txt', 'untracked'),
    on('writes', '.env', 'data'),
  ],
};

const harmless: readonly Effect[] = [
  on('reads', 'src/a.ts'),
  on('reads', 'src', 'clean', wide),
  on('reads', '/proc/cpuinfo', 'unknown'),
  on('reads', '/etc/os-release', 'unknown'),
  on('reads', '/usr/share/dict/words', 'unknown'),
  on('reads', '.env.example'),
  on('lists', '/usr/bin', 'unknown', wide),
  on('creates', 'src/new', 'absent'),
  on('creates', '/tmp/tmp.x', 'unknown'),
  on('writes', 'out.txt', 'absent'),
  on('writes', 'dist/app.js', 'ignored'),
  on('writes', '.env', 'absent'),
  on('writes', '/dev/null', 'unknown'),
  on('empties', 'out.txt', 'absent'),
  on('empties', 'dist/app.js', 'ignored'),
  on('appends', 'src/a.ts', 'changed'),
  on('edits', 'src/a.ts'),
  on('edits', 'src', 'clean', wide),
  on('edits', 'src', 'changed', {...wide, by: 'npx prettier --write src'}),
  on('moves', 'src/a.ts', 'changed'),
  on('deletes', 'dist', 'ignored', wide),
  on('deletes', 'dist', 'absent', wide),
  on('deletes', 'node_modules', 'ignored', wide),
  on('writes', 'node_modules/.cache/x', 'ignored'),
  on('creates', '.venv', 'absent'),
  on('appends', 'vendor/x.go'),
  doing('fetches', 'http://localhost:3000/data.json?page=2'),
  doing('sends', 'http://localhost:3000/api'),
  doing('runs', 'the tests'),
  doing('installs', 'what the manifest declares'),
  doing('installs', 'declared'),
  doing('records', 'a commit'),
];

/** Understood effects of which no rule can say whether they are harmful. */
const doubtful: readonly Effect[] = [
  on('deletes', 'src/a.ts'),
  on('deletes', 'src', 'absent'),
  on('moves', 'src', 'absent'),
  on('deletes', 'notes.txt', 'untracked'),
  on('deletes', 'src/a.ts', 'changed'),
  on('edits', 'notes.txt', 'untracked'),
  on('deletes', '.env', 'data'),
  on('edits', '.env', 'data'),
  on('appends', '.env.local', 'data'),
  on('deletes', 'dev.sqlite3', 'data'),
  on('deletes', 'test/parse.test.ts'),
  on('edits', 'src', 'changed', wide),
  on('moves', 'src', 'clean', wide),
  on('writes', 'src', 'clean', wide),
  doing('fetches', 'https://example.test/data.json'),
  doing('fetches', `http://localhost:3000/?d=${'x'.repeat(250)}`),
  doing('fetches', `https://${'x'.repeat(120)}.example.test/`),
  doing('fetches', 'https://me:word@example.test/'),
  doing('sends', 'http://localhost:2375/containers/create'),
  on('writes', '/tmp/x', 'unknown'),
  on('reads', '/tmp/x', 'unknown'),
  on('deletes', '/tmp/x', 'unknown'),
  on('runs', 'x.py', 'untracked'),
  on('runs', 'x.py', 'written'),
  on('writes', 'node_modules/vitest/cli.js', 'ignored'),
  on('writes', 'node_modules/.bin/git', 'absent'),
  on('writes', 'packages/app/node_modules', 'ignored', wide),
  on('edits', '.venv/bin/activate', 'ignored'),
  on('appends', 'lib/site-packages/x.pth', 'ignored'),
  on('empties', 'vendor/autoload.php', 'ignored'),
];

function answersOn(effect: Effect, request?: string) {
  return judge(commandProposal('x', request), analysed(understood([effect])));
}

for (const [rule, effects] of Object.entries(refused)) {
  describe(`${rule} by effect`, () => {
    test.each(effects)('refuses a command that $kind $target', (effect) => {
      expect(answersOn(effect)).toMatchObject({
        verdict: 'refuse',
        rules: expect.arrayContaining([rule]),
      });
    });
  });
}

test.each(harmless)('a command that $kind $target ($place.state) is approved by all', (effect) => {
  expect(answersOn(effect)).toMatchObject({
    verdict: 'approve',
    by: {safety: 'approve', scope: 'approve', evidence: 'approve'},
    unknown: [],
  });
});

test.each(doubtful)('a command that $kind $target ($place.state) cannot be judged', (effect) => {
  expect(answersOn(effect)).toMatchObject({
    verdict: 'cannot_judge',
    by: {safety: 'cannot_judge'},
    rules: [],
    unknown: ['x'],
  });
});

test('a file that the request names may be deleted if git has it, or if the request asks for the deletion', () => {
  expect(answersOn(on('deletes', 'src/a.ts'), 'Delete src/a.ts').verdict).toBe('approve');
  expect(answersOn(on('deletes', 'src/a.ts'), 'Move src/a.ts to b.ts').verdict).toBe('approve');
  expect(answersOn(on('deletes', 'n.txt', 'untracked'), 'Delete n.txt').verdict).toBe('approve');
  expect(answersOn(on('deletes', 'n.txt', 'untracked'), 'Fix what n.txt tells').verdict).toBe(
    'cannot_judge',
  );
  expect(answersOn(on('deletes', 'src', 'clean', wide), 'Delete src').verdict).toBe('refuse');
});

test('a file that the request names may be replaced unread', () => {
  expect(answersOn(on('writes', 'f.txt'), 'Run `echo x > f.txt`').verdict).toBe('approve');
});

test('a file that this run created may be deleted, a file that it only changed may not', () => {
  const call = [{tool: 'run_command', args: {command: 'x'}}];
  const made = did('write_file', {path: 'tmp/a.ts', content: 'x'});
  const changed = [...did('read_file', {path: 'tmp/a.ts'}), ...made];
  const verdict = (evidence: typeof made, effect: Effect) =>
    judge(proposalOf({calls: call, evidence}), analysed(understood([effect]))).verdict;
  expect(verdict(made, on('deletes', 'tmp/a.ts', 'written'))).toBe('approve');
  expect(verdict(made, on('deletes', 'tmp', 'written', wide))).toBe('approve');
  expect(verdict(made, on('empties', 'tmp/a.ts', 'written'))).toBe('approve');
  expect(verdict(changed, on('deletes', 'tmp/a.ts', 'written'))).toBe('cannot_judge');
  expect(verdict(changed, on('deletes', 'tmp', 'written', wide))).toBe('refuse');
  expect(verdict(changed, on('empties', 'tmp/a.ts', 'written'))).toBe('refuse');
  expect(verdict(changed, on('edits', 'tmp/a.ts', 'written'))).toBe('approve');
});

test.each([
  ['a file that was there', true, [], 'approve'],
  ['a file in a repository', false, [], 'cannot_judge'],
  ['a file that was written', true, [on('creates', 'x.py', 'absent')], 'cannot_judge'],
  ['a file that a tree has brought', true, [on('writes', 'lib', 'absent', wide)], 'cannot_judge'],
] as const)(
  'without git, code may run if nothing in this run has written it: %s',
  (_, isUnversioned, effects, verdict) => {
    const call = {tool: 'run_command', args: {command: 'x'}};
    const before = did('run_command', {command: 'y'});
    const analysis = analysed(understood([on('runs', 'x.py', 'untracked')]), {
      isUnversioned,
      done: [understood(effects)],
    });
    expect(judge(proposalOf({calls: [call], evidence: before}), analysis).verdict).toBe(verdict);
  },
);

const odd = understood([], {unknown: [{word: 'frobnicate', why: 'no known program'}]});

test('an unknown command cannot be judged, and the ballot names the word and the reason', () => {
  expect(consultPolicy('safety', commandProposal('frobnicate'), analysed(odd))).toEqual({
    verdict: 'abstain',
    reasons: [`can't judge "frobnicate": no known program`],
    confidence: 0,
    unknown: ['frobnicate'],
  });
});

test('a command that was not analysed cannot be judged by any policy', () => {
  const {verdict, by} = judge(commandProposal('ls'), {...analysed(odd), calls: []});
  expect({verdict, ...by}).toEqual({
    verdict: 'cannot_judge',
    safety: 'cannot_judge',
    scope: 'cannot_judge',
    evidence: 'cannot_judge',
  });
});

function oddRun(isConfined: boolean, isRestorable: boolean) {
  return consultPolicy('safety', commandProposal('x'), analysed(odd, {isConfined, isRestorable}));
}

test('confined and restorable, an unknown command is approved, and the reason says so', () => {
  expect(oddRun(true, true)).toMatchObject({
    verdict: 'approve',
    reasons: [
      'not understood, but it runs confined and can be undone: "frobnicate": no known program',
    ],
  });
  expect(oddRun(true, false).verdict).toBe('abstain');
  expect(oddRun(false, true).verdict).toBe('abstain');
});

test('a policy with nothing to understand does not say that everything is understood', () => {
  const analysis = analysed(understood([]), {isConfined: true, isRestorable: true});
  for (const policy of ['safety', 'scope', 'evidence'] as const) {
    expect(consultPolicy(policy, commandProposal('ls'), analysis)).toMatchObject({
      verdict: 'approve',
      reasons: ['no rule refuses this action'],
    });
  }
});

test('confined or not, a tool that does not declare what it reaches is not approved, because nothing confines it', () => {
  const proposal = proposalOf({calls: [{tool: 'crm.lookup', args: {}}]});
  const analysis = analysed(understood([]), {isConfined: true, isRestorable: true});
  expect(judge(proposal, analysis).by).toEqual({
    safety: 'cannot_judge',
    scope: 'cannot_judge',
    evidence: 'cannot_judge',
  });
});

test('a rule refuses a command however it runs, even if other parts of it are unknown', () => {
  const both = understood([on('deletes', 'src', 'clean', wide)], {unknown: odd.unknown});
  const analysis = analysed(both, {isConfined: true, isRestorable: true});
  expect(judge(commandProposal('x'), analysis)).toMatchObject({
    verdict: 'refuse',
    rules: ['safety/mass-delete'],
  });
});

test.each([
  [doing('installs', 'left-pad'), 'cannot_judge'],
  [doing('publishes', 'git push origin', 'git push origin'), 'cannot_judge'],
  [on('reads', '/etc/passwd', 'unknown'), 'cannot_judge'],
  [on('writes', '/tmp/x', 'unknown'), 'cannot_judge'],
  [on('writes', '.husky/pre-push', 'absent'), 'cannot_judge'],
  [on('creates', 'a.txt', 'absent'), 'approve'],
] as const)(
  'without a request scope is not consulted, and safety does not approve an effect that scope would refuse: %j',
  (effect, verdict) => {
    expect(answersOn(effect, '')).toMatchObject({verdict, by: {scope: null}});
  },
);

test('writing a script is refused for what the script would destroy, and for nothing else', () => {
  const write = proposalOf({
    calls: [{tool: 'write_file', args: {path: 'a.sh', content: 'x'}}],
    basedOn: 'absent',
  });
  const written = (...effects: Effect[]) =>
    judge(write, {...analysed(odd), calls: [undefined], scripts: [[understood(effects)]]}).verdict;
  expect(written(on('deletes', 'src', 'clean', wide))).toBe('refuse');
  expect(written(on('reads', '.env', 'ignored'))).toBe('approve');
  expect(written(on('deletes', 'src/a.ts'))).toBe('approve');
  const unread = {...analysed(odd), calls: [undefined], scripts: [[odd]]};
  expect(judge(write, unread).verdict).toBe('approve');
});

test.each([
  ['cat', 'approve'],
  ['./evil.sh', 'refuse'],
])('with the pager %j the verdict is %s', (pager, verdict) => {
  const command = simple('git log', {assignments: {GIT_PAGER: wordOf(pager)}});
  const analysis = analysed(understood([], {commands: [command]}));
  expect(judge(commandProposal('x'), analysis).verdict).toBe(verdict);
});
