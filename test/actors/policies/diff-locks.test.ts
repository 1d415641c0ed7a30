/** Lock files: each download is from a known host and has a hash; formats that are read whole say so. */

import {expect, test} from 'vitest';

import {emptyAnalysis} from '../../../actors/policies/analysis/analysis.ts';
import {policies} from '../../../actors/policies/index.ts';
import {readPatch} from '../../../tools/text/patch.ts';
import {proposalOf} from './proposal.ts';

async function judged(path: string, lines: readonly string[]) {
  const [added, removed] = ['-', '+'].map(
    (mark) => lines.filter((line) => line[0] !== mark).length,
  );
  const head = `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,${removed} +1,${added} @@\n`;
  const diff = await readPatch(`${head}${lines.join('\n')}\n`);
  return policies.safety(proposalOf({request: 'r', diff}, {kind: 'diff'}), emptyAnalysis);
}

const npm = (resolved: string, ...more: readonly string[]) => [
  '     "node_modules/a": {',
  '-      "version": "1.0.0",',
  '+      "version": "1.0.1",',
  `+      "resolved": "${resolved}",`,
  ...more,
  '       "license": "MIT"',
];
const hash = '+      "integrity": "sha512-AAAA",';
const registry = 'https://registry.npmjs.org/a/-/a-1.0.1.tgz';

test('a change of versions from the registry, with hashes, is read whole and approved', async () => {
  const path = 'web/package-lock.json';
  expect(await judged(path, npm(registry, hash))).toMatchObject({verdict: 'approve', read: [path]});
});

test.each([
  ['another host', npm('https://evil.example/a.tgz', hash), 'evil.example'],
  [
    'a host that looks alike',
    npm('https://registry.npmjs.org.evil.example/a', hash),
    'evil.example',
  ],
  [
    'a name before the host',
    npm('https://registry.npmjs.org@evil.example/a', hash),
    'evil.example',
  ],
  ['an open connection', npm('http://registry.npmjs.org/a.tgz', hash), 'http://registry'],
  ['a repository', npm('git+ssh://git@github.com/x/a.git#abc', hash), 'git+ssh://'],
  ['no hash', npm(registry), 'without a hash'],
  ['a removed hash', npm(registry, hash.replace('+', '-')), 'without a hash'],
])('a lock file with %s is refused, with the line', async (_, lines, value) => {
  const ballot = await judged('package-lock.json', lines);
  expect(ballot).toMatchObject({verdict: 'reject', rules: ['lock-file']});
  expect(ballot.comments?.[0]).toMatchObject({line: 3, message: expect.stringContaining(value)});
});

test('a host of the lines that stay is known', async () => {
  const own = 'https://npm.corp.example/a.tgz';
  const lines = [
    `       "resolved": "${own}",`,
    '       "integrity": "sha512-B",',
    ...npm(own, hash),
  ];
  expect(await judged('package-lock.json', lines)).toMatchObject({verdict: 'approve'});
});

test.each([
  [
    'yarn.lock',
    ['+  resolved "https://registry.yarnpkg.com/a/-/a.tgz#1"', '+  integrity sha512-A'],
    'approve',
  ],
  ['pnpm-lock.yaml', ['+    resolution: {integrity: sha512-A}'], 'approve'],
  ['pnpm-lock.yaml', ['+    resolution: {tarball: https://evil.example/a.tgz}'], 'reject'],
  ['go.sum', [`+example.org/m v1.0.0 h1:${'A'.repeat(43)}=`], 'approve'],
  ['go.sum', ['+example.org/m v1.0.0 h1:short='], 'reject'],
  [
    'Cargo.lock',
    [
      '+source = "registry+https://github.com/rust-lang/crates.io-index"',
      `+checksum = "${'a'.repeat(64)}"`,
    ],
    'approve',
  ],
  [
    'Cargo.lock',
    ['+source = "registry+https://github.com/evil/index"', `+checksum = "${'a'.repeat(64)}"`],
    'reject',
  ],
])('%s with %j: %s', async (path, lines, verdict) => {
  expect(
    await judged(
      path,
      [' x', ...lines].filter((line) => path !== 'go.sum' || line !== ' x'),
    ),
  ).toMatchObject({
    verdict,
  });
});

test.each(['Gemfile.lock', 'poetry.lock', 'composer.lock'])(
  '%s is not read whole by rule',
  async (path) => {
    expect((await judged(path, ['+x'])).read).toBeUndefined();
  },
);
