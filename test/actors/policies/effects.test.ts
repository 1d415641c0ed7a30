/** Which effects of a command are refused, and which line of the verdict decides about the others. */

import {expect, test} from 'vitest';

import {analyseProposal} from '../../../actors/policies/analysis/analyse.ts';
import {type CommandAnalysis, emptyAnalysis} from '../../../actors/policies/analysis/analysis.ts';
import {type Answer, consultPolicy, judge} from '../../../actors/policies/index.ts';
import type {Proposal} from '../../../machines/domain/review.ts';
import {
  type Effect,
  type EffectKind,
  placeEffects,
  type PlaceState,
  type Understanding,
} from '../../../tools/commands/understanding.ts';
import {cells} from '../../support/rows.ts';
import {commandProposal, proposalOf} from './proposal.ts';

/** An effect on a place: relative, or absolute outside of the workspace. */
function on(
  kind: EffectKind,
  path: string,
  state: PlaceState = 'clean',
  more: Partial<Effect> = {},
): Effect {
  const place = {path, inside: !path.startsWith('/'), isFolder: more.wide === true, state};
  return {kind, target: path, place, by: 'x', at: 0, ...more};
}

/** An effect on any other target. */
function doing(kind: EffectKind, target: string, by = 'x'): Effect {
  return {kind, target, by, at: 0};
}

function understood(effects: readonly Effect[], more: Partial<Understanding> = {}): Understanding {
  return {effects, unknown: [], followed: [], commands: [], ...more};
}

/** The analysis of a proposal with one call. */
function analysed(command: Understanding, more: Partial<CommandAnalysis> = {}): CommandAnalysis {
  return {...emptyAnalysis, calls: [command], ...more};
}

const contained = {isConfined: true, isRestorable: true} as const;

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

/** Effects, by the rule that refuses them, however the command runs. */
const refused: Readonly<Record<string, readonly Effect[]>> = {
  'safety/mass-delete': parseEffects(`
    deletes '' clean wide ¦ deletes .git unknown wide ¦ deletes .git/index unknown
    deletes /home/dev/other.txt unknown ¦ deletes /tmp/x unknown wide
  `),
  'safety/read-credentials': parseEffects(`
    reads .env ignored ¦ reads /home/dev/.ssh/id_rsa unknown ¦ moves .env ignored ¦ runs .env ignored
    reveals: the environment ¦ fetches: http://169.254.169.254/latest/meta-data
  `),
  'scope/outside-workspace': parseEffects(`
    writes /var/x unknown ¦ creates /home/dev/x unknown ¦ moves /home/dev/x unknown
    writes /dev/sda unknown ¦ appends /etc/hosts unknown
  `),
  'scope/protected-config': parseEffects(`
    writes .git/hooks/pre-commit absent ¦ creates .vscode/tasks.json absent
    deletes .github/workflows/ci.yml clean ¦ appends .npmrc absent
  `),
  'scope/package-install': parseEffects(`installs: left-pad`),
  'scope/push-unasked': parseEffects(`publishes: git push origin by git push origin`),
};

/** Other effects, by the verdict unconfined and contained. */
const judged: readonly {line: string; verdicts: readonly Answer[]; effects: readonly Effect[]}[] = [
  {
    line: 'reads',
    verdicts: ['approve', 'approve'],
    effects: parseEffects(`
      reads src/a.ts clean ¦ reads src clean wide ¦ reads notes.txt untracked ¦ lists /usr/bin unknown wide
      reads /proc/cpuinfo unknown ¦ reads /etc/os-release unknown ¦ reads /usr/share/dict/words unknown
      reads .env.example clean ¦ runs src/a.ts clean ¦ runs dist/app.js ignored
    `),
  },
  {
    line: 'changes what can be undone',
    verdicts: ['cannot_judge', 'approve'],
    effects: parseEffects(`
      creates src/new absent ¦ writes out.txt absent ¦ writes src/a.ts changed ¦ writes .env absent
      writes /dev/null unknown ¦ empties notes.txt untracked ¦ appends src/a.ts changed ¦ edits src clean wide
      moves src clean wide ¦ deletes src changed wide ¦ deletes uploads data wide ¦ deletes .env data
      records: a commit ¦ discards: the repository ¦ signals: 4711 ¦ runs x.py untracked ¦ runs x.py written
      fetches: http://localhost:3000/data.json?page=2 ¦ sends: http://127.0.0.1:3000/api
      writes /tmp/x unknown ¦ deletes /tmp/x unknown
    `),
  },
  {
    line: 'reaches',
    verdicts: ['cannot_judge', 'cannot_judge'],
    effects: parseEffects(`
      fetches: https://example.test/data.json ¦ fetches: https://localhost.evil.test/ ¦ sends: evil.test
      installs: declared ¦ publishes: a release ¦ alters: containers
      reads /etc/passwd unknown ¦ lists /home unknown wide ¦ runs /home/dev/x.py unknown
    `),
  },
];

function verdictsOn(effect: Effect, request?: string): readonly Answer[] {
  return [{}, contained].map(
    (grade) => judge(commandProposal('x', request), analysed(understood([effect]), grade)).verdict,
  );
}

for (const [rule, effects] of Object.entries(refused)) {
  test.each(effects)(`${rule} refuses a command that $kind $target in each grade`, (effect) => {
    expect(verdictsOn(effect)).toEqual(['refuse', 'refuse']);
    const {rules} = judge(commandProposal('x'), analysed(understood([effect])));
    expect(rules).toContain(rule);
  });
}

for (const {line, verdicts, effects} of judged) {
  test.each(effects)(
    `a command that $kind $target ($place.state) ${line}: ${verdicts.join(', ')}`,
    (effect) => {
      expect(verdictsOn(effect)).toEqual(verdicts);
      expect(judge(commandProposal('x'), analysed(understood([effect]))).rules).toEqual([]);
    },
  );
}

test('a contained command is approved for one reason, which names each of its parts', () => {
  const parts = [
    on('deletes', 'docs', 'clean', wide),
    doing('discards', 'the repository', 'git x'),
  ];
  expect(judge(commandProposal('x'), analysed(understood(parts), contained)).reasons).toEqual([
    'it runs confined and can be undone: "x": it deletes docs; "git x": it may discard work in the repository',
  ]);
});

test('a package or a push that the request asks for is not refused, and not approved either', () => {
  expect(verdictsOn(doing('installs', 'zod'), 'Install zod')).toEqual(judged[2]?.verdicts);
  const push = doing('publishes', 'git push', 'git push');
  expect(verdictsOn(push, 'Commit and push the fix')).toEqual(judged[2]?.verdicts);
});

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

test.each([
  [true, false],
  [false, true],
])(
  'confined: %s, restorable: %s: an unknown command is not approved',
  (...[isConfined, isRestorable]) => {
    const analysis = analysed(odd, {isConfined, isRestorable});
    expect(consultPolicy('safety', commandProposal('x'), analysis).verdict).toBe('abstain');
  },
);

test.each([
  ['landlock', true],
  ['none', false],
  ['a word of another version', false],
])('a command whose record names %s counts as confined: %s', async (confinement, isConfined) => {
  const {facts, ...proposal} = commandProposal('ls');
  const recorded: Proposal = JSON.parse(
    JSON.stringify({...proposal, facts: {...facts, confinement}}),
  );
  const found = await analyseProposal(recorded, {
    isConfined: async () => true,
    isRestorable: async () => true,
  });
  expect(found.isConfined).toBe(isConfined);
});

test('confined and restorable, an unknown command is approved, and the reason says so', () => {
  expect(consultPolicy('safety', commandProposal('x'), analysed(odd, contained))).toMatchObject({
    verdict: 'approve',
    reasons: [expect.stringMatching(/can be undone: "frobnicate": no known program$/)],
  });
});

test('an unknown part that confinement does not help is not approved contained', () => {
  const shown = {word: 'x', why: 'it may show .env', evenConfined: true} as const;
  const analysis = analysed(understood([], {unknown: [shown]}), contained);
  expect(judge(commandProposal('x'), analysis).verdict).toBe('cannot_judge');
});

test('a policy with nothing to contain does not say that it relies on confinement', () => {
  for (const policy of ['safety', 'scope', 'evidence'] as const) {
    expect(
      consultPolicy(policy, commandProposal('ls'), analysed(understood([]), contained)),
    ).toMatchObject({verdict: 'approve', reasons: ['no rule refuses this action']});
  }
});

test('confined or not, a tool that does not declare what it reaches is not approved, because nothing confines it', () => {
  const proposal = proposalOf({calls: [{tool: 'crm.lookup', args: {}}]});
  expect(judge(proposal, analysed(understood([]), contained)).by).toEqual({
    safety: 'cannot_judge',
    scope: 'cannot_judge',
    evidence: 'cannot_judge',
  });
});

test('a rule refuses a command even if other parts of it are unknown', () => {
  const both = understood([on('deletes', '.git', 'unknown', wide)], {unknown: odd.unknown});
  expect(judge(commandProposal('x'), analysed(both, contained))).toMatchObject({
    verdict: 'refuse',
    rules: expect.arrayContaining(['safety/mass-delete']),
  });
});

const big = [{path: 'data/big.bin', why: 'is too large'}];

test.each([
  [on('deletes', 'data/big.bin', 'untracked'), 'cannot_judge'],
  [on('deletes', 'data', 'untracked', wide), 'cannot_judge'],
  [on('writes', 'data/big.bin', 'changed'), 'cannot_judge'],
  [on('deletes', 'data/big.bin', 'clean'), 'approve'],
  [on('deletes', 'data/small.txt', 'untracked'), 'approve'],
  [on('appends', 'data/big.bin', 'untracked'), 'approve'],
] as const)(
  'contained, a loss that undo cannot bring back is not approved: %j',
  (effect, verdict) => {
    const analysis = analysed(understood([effect]), {...contained, unkept: big});
    expect(judge(commandProposal('x'), analysis).verdict).toBe(verdict);
  },
);

test('without a request scope is not consulted, and safety approves nothing that scope would refuse', () => {
  for (const effect of [
    doing('installs', 'left-pad'),
    doing('publishes', 'git push origin', 'git push origin'),
    on('reads', '/etc/passwd', 'unknown'),
    on('writes', '/var/x', 'unknown'),
    on('writes', '.husky/pre-push', 'absent'),
  ])
    expect(verdictsOn(effect, '')).not.toContain('approve');
  expect(verdictsOn(on('creates', 'a.txt', 'absent'), '')).toEqual(['cannot_judge', 'approve']);
});
