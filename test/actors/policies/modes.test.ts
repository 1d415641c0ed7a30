/** Modes are computed as `chmod` computes them, in any spelling. */

import {execFileSync} from 'node:child_process';
import {chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import * as fc from 'fast-check';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';

import {changedMode} from '../../../actors/policies/modes.ts';
import {cells} from '../../support/rows.ts';
import {commandProposal} from './proposal.ts';
import {openWorld, type TestWorld} from './world.ts';

let world: TestWorld;
let folder: string;

beforeAll(() => {
  world = openWorld();
  folder = mkdtempSync(join(tmpdir(), 'quorate-modes-'));
  writeFileSync(join(folder, 'file'), '');
  mkdirSync(join(folder, 'folder'));
});

afterAll(() => {
  world.close();
  rmSync(folder, {recursive: true});
});

const who = fc.string({unit: fc.constantFrom('u', 'g', 'o', 'a'), maxLength: 3});
const given = fc.oneof(
  fc.constantFrom('u', 'g', 'o'),
  fc.string({unit: fc.constantFrom('r', 'w', 'x', 'X', 's', 't'), maxLength: 3}),
);
const change = fc
  .tuple(fc.constantFrom('+', '-', '='), given)
  .map(([operator, letters]) => operator + letters);
const clause = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(who, fc.array(change, {minLength: 1, maxLength: 3}))
      .map(([names, changes]) => names + changes.join('')),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('+', '-', '='), fc.integer({min: 0, max: 0o7777}))
      .map(([operator, octal]) => operator + octal.toString(8)),
  },
);
const octal = fc
  .tuple(fc.integer({min: 0, max: 3}), fc.integer({min: 0, max: 0o7777}))
  .map(([zeros, bits]) => '0'.repeat(zeros) + bits.toString(8));
const mode = fc.oneof(
  octal,
  fc.array(clause, {minLength: 1, maxLength: 3}).map((all) => all.join(',')),
);

test('a mode is computed for files and folders', () => {
  fc.assert(
    fc.property(mode, fc.integer({min: 0, max: 0o7777}), fc.boolean(), (text, before, isFolder) => {
      const path = join(folder, isFolder ? 'folder' : 'file');
      chmodSync(path, before);
      execFileSync('sh', ['-c', 'umask 0; exec chmod -- "$0" "$1"', text, path], {stdio: 'pipe'});
      expect(changedMode(text, before, isFolder)).toBe(statSync(path).mode & 0o7777);
    }),
    {numRuns: 300},
  );
});

test('an invalid mode changes nothing', () => {
  for (const text of ['', 'x', '8', '99999', 'u', 'u+q', 'u+644', 'README.md'])
    expect(changedMode(text, 0o644)).toBeUndefined();
});

async function verdictOn(command: string) {
  return (await world.judge(commandProposal(command))).verdict;
}

describe('a file is not opened to all users', () => {
  test.each(
    cells(String.raw`
    chmod 777 README.md ¦ chmod 00777 README.md ¦ chmod 2 README.md ¦ chmod 4755 README.md
    chmod 002755 README.md ¦ chmod =rwx README.md ¦ chmod +w README.md ¦ chmod a+w README.md
    chmod a=rw README.md ¦ chmod o=u README.md ¦ chmod u=rwx,go=u README.md ¦ chmod g+w,o=g README.md
    chmod u+x-w+s README.md ¦ chmod +002 README.md ¦ chmod -R ugo+rwX src ¦ mkdir -m 777 new
    mkdir -pm777 new ¦ mkdir --mode=a+w new ¦ install -m 0666 README.md new ¦ install -Dm4755 README.md new
    mkfifo -m a=rw new ¦ rsync -a --chmod=Du=rwx,Fo+w src/ new ¦ umask 0 ¦ umask 0000 ¦ umask 075
    umask o+w ¦ umask u=rwx,g=rwx,o=rwx
  `),
  )('%s', async (command) => {
    expect(await verdictOn(command)).toBe('refuse');
  });

  test.each(['chmod "$(cat README.md)" src/a.ts', 'mkdir -m "$(cat README.md)" new'])(
    'a mode that may do so is not approved: %s',
    async (command) => {
      expect(await verdictOn(command)).toBe('cannot_judge');
    },
  );
});

test.each(
  cells(String.raw`
  chmod 644 README.md ¦ chmod 0755 scripts/build.sh ¦ chmod 644 src/a.ts 2 ¦ chmod +x scripts/build.sh
  chmod u+rwx,g=rx,o= scripts/build.sh ¦ chmod g=u scripts/build.sh ¦ chmod a-w README.md
  chmod -w README.md ¦ mkdir -m 700 new ¦ mkdir -p -m 0755 new/a ¦ install -m 755 README.md new ¦ umask 022
  umask 077 ¦ umask 2 ¦ umask -S ¦ umask go=
`),
)('%s is approved', async (command) => {
  expect(await verdictOn(command)).toBe('approve');
});
