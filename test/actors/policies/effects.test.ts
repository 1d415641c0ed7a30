/** A command is judged by its effects, not by its words: every rule and every doubt by the effects that it looks at. */

import {describe, expect, test} from 'vitest';

import {type CommandAnalysis, emptyAnalysis} from '../../../actors/policies/analysis/analysis.ts';
import {consultPolicy, judge} from '../../../actors/policies/index.ts';
import {
  type Effect,
  type EffectKind,
  placeEffects,
  type PlaceState,
} from '../../../tools/commands/effect.ts';
import type {SimpleCommand, Understanding} from '../../../tools/commands/understanding.ts';
import {wordOf} from '../../../tools/commands/word.ts';
import {cells} from '../../support/rows.ts';
import {commandProposal, did, proposalOf} from './proposal.ts';

/** An effect on a place: relative, or absolute outside of the workspace. */
function on(
  kind: EffectKind,
  path: string,
  state: PlaceState = 'clean',
  more: Partial<Effect> = {},
): Effect {
  const place = {path, inside: !path.startsWith('/'), isFolder: more.wide === true, state};
  return {kind, target: path, place, by: 'x', ...more};
}

/** An effect on any other target. */
function doing(kind: EffectKind, target: string, by = 'x'): Effect {
  return {kind, target, by};
}

/** A simple command of plain words. */
function simple(text: string, more: Partial<SimpleCommand> = {}): SimpleCommand {
  const [name = '', ...args] = text.split(' ');
  return {
    name,
    args: args.map(wordOf),
    assignments: {},
    redirects: [],
    text,
    folder: '',
    piped: false,
    background: false,
    isTest: false,
    ...more,
  };
}

function understood(effects: readonly Effect[], more: Partial<Understanding> = {}): Understanding {
  const commands = [...new Set(effects.map(({by}) => by))].map((by) => simple(by));
  return {effects, unknown: [], followed: [], commands, ...more};
}

/** The analysis of a proposal with one call. */
function analysed(command: Understanding, more: Partial<CommandAnalysis> = {}): CommandAnalysis {
  return {...emptyAnalysis, calls: [command], ...more};
}

const wide = {wide: true} as const;

const kinds = new Set<string>([
  ...placeEffects,
  ...cells(
    'fetches ¦ sends ¦ runs ¦ installs ¦ publishes ¦ records ¦ discards ¦ signals ¦ reveals ¦ alters',
  ),
]);
const states = cells('absent ¦ clean ¦ changed ¦ untracked ¦ ignored ¦ data ¦ written ¦ unknown');
const isKind = (word = ''): word is EffectKind => kinds.has(word);
const isState = (word = ''): word is PlaceState => states.includes(word);

/** `KIND PLACE STATE`, with `wide` for a folder and '' for the workspace; or `KIND: TARGET by COMMAND`. */
function parseEffects(text: string): Effect[] {
  return cells(text).map((row) => {
    const [, doneKind, target = '', by] = /^(\w+): (.+?)(?: by (.+))?$/.exec(row) ?? [];
    if (isKind(doneKind)) return doing(doneKind, target, by);
    const [kind, path = '', state, isWide] = row.split(' ');
    if (!isKind(kind) || !isState(state)) throw new Error(`not an effect: ${row}`);
    return on(kind, path === "''" ? '' : path, state, isWide ? wide : {});
  });
}

/** Effects, by the rule that refuses them. */
const refused: Readonly<Record<string, readonly Effect[]>> = {
  'safety/mass-delete': parseEffects(`
    deletes src clean wide ¦ deletes src changed wide ¦ deletes notes untracked wide
    deletes uploads data wide ¦ deletes '' ignored wide ¦ deletes /home/dev/other.txt unknown
    deletes src written wide ¦ deletes src/**/* absent wide ¦ deletes /tmp/x unknown wide
  `),
  'safety/git-discard': parseEffects(`discards: changes by git reset --hard`),
  'safety/git-history': parseEffects(`discards: history by git commit --amend`),
  'safety/device-write': parseEffects(`writes /dev/sda unknown`),
  'safety/empty-overwrite': parseEffects(`
    empties src/a.ts clean ¦ empties notes.txt untracked ¦ empties a.db data
  `),
  'safety/send-out': parseEffects(`sends: evil.test ¦ sends: http://localhost.evil.test/`),
  'safety/read-credentials': parseEffects(`
    reads .env ignored ¦ reads /home/dev/.ssh/id_rsa unknown ¦ moves .env ignored
    reveals: the environment ¦ fetches: http://169.254.169.254/latest/meta-data
  `),
  'safety/other-process': parseEffects(`signals: 4711 by kill 4711`),
  'safety/kill-all': parseEffects(
    `signals: every process by kill -9 -1 ¦ signals: node by pkill node`,
  ),
  'safety/publish': parseEffects(`publishes: npm by npm publish`),
  'safety/outside-change': parseEffects(`alters: containers by docker stop x`),
  'scope/outside-workspace': parseEffects(`
    reads /etc/passwd unknown ¦ lists /home unknown wide ¦ writes /var/x unknown
    creates /home/dev/x unknown ¦ moves /home/dev/x unknown
  `),
  'scope/protected-config': parseEffects(`
    writes .git/hooks/pre-commit absent ¦ creates .vscode/tasks.json absent
    deletes .github/workflows/ci.yml clean ¦ appends .npmrc absent
  `),
  'scope/package-install': parseEffects(`installs: left-pad`),
  'scope/push-unasked': parseEffects(`publishes: git push origin by git push origin`),
  'evidence/blind-redirect': parseEffects(`
    writes src/a.ts changed ¦ writes notes.txt untracked ¦ writes .env data
  `),
};

const harmless: readonly Effect[] = [
  ...parseEffects(`
  reads src/a.ts clean ¦ reads src clean wide ¦ reads /proc/cpuinfo unknown
  reads /etc/os-release unknown ¦ reads /usr/share/dict/words unknown ¦ reads .env.example clean
  lists /usr/bin unknown wide ¦ creates src/new absent ¦ creates /tmp/tmp.x unknown
  writes out.txt absent ¦ writes dist/app.js ignored ¦ writes .env absent ¦ writes /dev/null unknown
  empties out.txt absent ¦ empties dist/app.js ignored ¦ appends src/a.ts changed ¦ edits src/a.ts clean
  edits src clean wide ¦ moves src/a.ts changed ¦ deletes dist ignored wide ¦ deletes dist absent wide
  deletes node_modules ignored wide ¦ writes node_modules/.cache/x ignored ¦ creates .venv absent
  appends vendor/x.go clean ¦ fetches: http://localhost:3000/data.json?page=2
  sends: http://localhost:3000/api ¦ runs: the tests ¦ installs: what the manifest declares
  installs: declared ¦ records: a commit
`),
  on('edits', 'src', 'changed', {...wide, by: 'npx prettier --write src'}),
];

/** Understood effects of which no rule can say whether they are harmful. */
const doubtful: readonly Effect[] = [
  ...parseEffects(`
  deletes src/a.ts clean ¦ deletes src absent ¦ moves src absent ¦ deletes notes.txt untracked
  deletes src/a.ts changed ¦ edits notes.txt untracked ¦ deletes .env data ¦ edits .env data
  appends .env.local data ¦ deletes dev.sqlite3 data ¦ deletes test/parse.test.ts clean
  edits src changed wide ¦ moves src clean wide ¦ writes src clean wide
  fetches: https://example.test/data.json ¦ fetches: https://me:word@example.test/
  sends: http://localhost:2375/containers/create ¦ writes /tmp/x unknown ¦ reads /tmp/x unknown
  deletes /tmp/x unknown ¦ runs x.py untracked ¦ runs x.py written
  writes node_modules/vitest/cli.js ignored ¦ writes node_modules/.bin/git absent
  writes packages/app/node_modules ignored wide ¦ edits .venv/bin/activate ignored
  appends lib/site-packages/x.pth ignored ¦ empties vendor/autoload.php ignored
`),
  doing('fetches', `http://localhost:3000/?d=${'x'.repeat(250)}`),
  doing('fetches', `https://${'x'.repeat(120)}.example.test/`),
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
