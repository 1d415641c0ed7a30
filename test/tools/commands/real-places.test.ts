/** The judged place is the one that the system opens. */

import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

import * as fc from 'fast-check';
import {expect, onTestFinished, test} from 'vitest';

import {createSurroundings} from '../../../tools/commands/surroundings-of.ts';
import {understand} from '../../../tools/commands/understand.ts';

const names = ['a', 'b', 'c', 'l', 'm'];

const way = fc
  .array(fc.constantFrom(...names, '..', '.', 'l/..', 'm/..'), {minLength: 1, maxLength: 5})
  .map((parts) => parts.join('/'));

/** Mostly from the workspace itself. */
const spot = fc.oneof(fc.constant('.'), way);

const tree: fc.Arbitrary<Tree> = fc.record({
  folders: fc.array(fc.array(fc.constantFrom('a', 'b', 'c'), {minLength: 1, maxLength: 3}), {
    minLength: 2,
    maxLength: 6,
  }),
  links: fc.array(fc.record({at: spot, name: fc.constantFrom('l', 'm'), target: way}), {
    minLength: 1,
    maxLength: 5,
  }),
});

interface Tree {
  readonly folders: readonly (readonly string[])[];
  readonly links: readonly {
    readonly at: string;
    readonly name: string;
    readonly target: string;
  }[];
}

interface Planted {
  readonly workspace: string;
}

/** A folder `w` in a folder of its own, so that links may lead out of it. */
function plant({folders, links}: Tree): Planted {
  const root = realpathSync(mkdtempSync('/var/tmp/quorate-places-'));
  onTestFinished(() => rmSync(root, {recursive: true}));
  const workspace = join(root, 'w');
  putFolder(workspace);
  putFolder(root);
  for (const parts of [...folders, ['a', 'b', 'c'], ['b', 'a']]) {
    for (const end of parts.map((_, at) => at + 1)) {
      putFolder(join(workspace, ...parts.slice(0, end)));
      putFolder(join(root, ...parts.slice(0, end)));
    }
  }
  for (const {at, name, target} of links) {
    try {
      const folder = realpathSync(join(workspace, at));
      if (folder.startsWith(root)) symlinkSync(target, join(folder, name));
    } catch {
      // The folder does not exist, or the name is taken.
    }
  }
  return {workspace};
}

const goal = fc.constantFrom('a/b', 'b/a', 'a/../b', '../a', 'a/b/c', 'm');

/** With a link `l` in the workspace itself. */
function withLink({folders, links}: Tree, target: string): Tree {
  return {folders, links: [{at: '.', name: 'l', target}, ...links]};
}

function putFolder(folder: string): void {
  mkdirSync(folder, {recursive: true});
  writeFileSync(join(folder, 'Makefile'), 'zz:\n\ttouch zz\n');
  writeFileSync(join(folder, 'package.json'), '{"scripts": {"zz": "touch zz"}}');
}

/** The ways to create a file `zz`; `real` is for a shell that prints its folder. */
const makers: readonly ((one: string, two: string) => {command: string; real: string})[] = [
  (one) => ({command: `touch ${one}/zz`, real: `cd -P ${one} && pwd -P`}),
  (one) => ({command: `echo x > ${one}/zz`, real: `cd -P ${one} && pwd -P`}),
  (one) => ({command: `env -C ${one} touch zz`, real: `env -C ${one} pwd -P`}),
  (one) => ({command: `cd -P ${one} && touch zz`, real: `cd -P ${one} && pwd -P`}),
  (one) => ({command: `cd ${one} && touch zz`, real: `cd ${one} && pwd -P`}),
  (one, two) => ({
    command: `cd ${one} && cd ${two} && touch zz`,
    real: `cd ${one} && cd ${two} && pwd -P`,
  }),
  (one, two) => ({
    command: `cd ${one} && touch ${two}/zz`,
    real: `cd ${one} && cd -P ${two} && pwd -P`,
  }),
  (one, two) => ({
    command: `cd -P ${one} && cd ${two} && touch zz`,
    real: `cd -P ${one} && cd ${two} && pwd -P`,
  }),
  (one, two) => ({
    command: `cd ${one} && cd -P ${two} && touch zz`,
    real: `cd ${one} && cd -P ${two} && pwd -P`,
  }),
  (one, two) => ({
    command: `cd ${one} && env -C ${two} touch zz`,
    real: `cd ${one} && env -C ${two} pwd -P`,
  }),
  (one, two) => ({
    command: `env -C ${one} sh -c 'cd ${two} && touch zz'`,
    real: `env -C ${one} sh -c 'cd ${two} && pwd -P'`,
  }),
  (one, two) => ({
    command: `env -C ${one} env -C ${two} touch zz`,
    real: `env -C ${one} env -C ${two} pwd -P`,
  }),
  (one) => ({command: `wget -q -P ${one} http://localhost/zz`, real: `cd -P ${one} && pwd -P`}),
  (one) => ({command: `make -C ${one} zz`, real: `env -C ${one} pwd -P`}),
  (one) => ({command: `npm --prefix ${one} run zz`, real: `env -C ${one} pwd -P`}),
  (one, two) => ({
    command: `cd ${one} && make -C ${two} zz`,
    real: `cd ${one} && env -C ${two} pwd -P`,
  }),
  (one) => ({command: `mktemp -p ${one} zz`, real: `cd -P ${one} && pwd -P`}),
  (one) => ({command: `cp source ${one}/zz`, real: `cd -P ${one} && pwd -P`}),
];

function realFolder(workspace: string, script: string): string | undefined {
  try {
    const env = {PATH: process.env['PATH'] ?? ''};
    return execFileSync('sh', ['-c', script], {cwd: workspace, env, stdio: 'pipe'})
      .toString()
      .trim();
  } catch {
    return undefined;
  }
}

interface Asked {
  readonly planted: Planted;
  readonly command: string;
  /** The folder in which the command starts, as written. */
  readonly folder?: string;
  /** Prints where the file is created. */
  readonly real: string;
}

/** The place where the command is judged to create `zz`, and the real one; undefined: it fails, or is not understood. */
async function foldersOf({planted: {workspace}, command, folder = '', real}: Asked) {
  const expected = realFolder(workspace, real);
  if (expected === undefined) return undefined;
  const surroundings = createSurroundings(workspace);
  const {effects, unknown} = await understand(command, {surroundings, folder, written: []});
  if (unknown.length > 0) return undefined;
  const made = effects.flatMap(({place}) =>
    place && /(?:^|\/)zz$/.test(place.path) ? [place] : [],
  );
  const judged = made.map(({inside, path}) => dirname(join(inside ? workspace : '/', path)));
  return {judged: {command, folders: [...new Set(judged)]}, real: {command, folders: [expected]}};
}

test('links and `..` are resolved as the system does, for every way to name a folder to a program', async () => {
  let judged = 0;
  const some = fc.array(fc.constantFrom(...makers), {minLength: 3, maxLength: 3});
  await fc.assert(
    fc.asyncProperty(tree, goal, way, way, some, async (drawn, target, one, two, ways) => {
      const planted = plant(withLink(drawn, target));
      for (const make of ways) {
        const found = await foldersOf({planted, ...make(one, two)});
        if (!found) continue;
        judged += 1;
        expect(found.judged).toEqual(found.real);
      }
    }),
    {numRuns: 60},
  );
  expect(judged).toBeGreaterThan(0);
});

test('a command starts in the folder that a link leads to', async () => {
  let judged = 0;
  await fc.assert(
    fc.asyncProperty(tree, goal, way, async (drawn, target, one) => {
      const planted = plant(withLink(drawn, target));
      const command = `cd ${one} && touch zz`;
      const real = `cd -P l && env -u PWD sh -c 'cd ${one} && pwd -P'`;
      const found = await foldersOf({planted, command, folder: 'l', real});
      if (!found) return;
      judged += 1;
      expect(found.judged).toEqual(found.real);
    }),
    {numRuns: 60},
  );
  expect(judged).toBeGreaterThan(0);
});
