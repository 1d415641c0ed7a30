import {rmSync} from 'node:fs';
import {join} from 'node:path';

import {afterAll, describe, expect, it} from 'vitest';

import type {Effect, EffectKind} from '../../../tools/commands/effect.ts';
import {buildFuzzWorld} from './fuzz-world.ts';
import {createRecorder, recordingProblem} from './recorder.ts';
import {unlistedEffects} from './unlisted.ts';

const problem = recordingProblem();
if (problem !== undefined) {
  process.stderr.write(
    `\n*** NOT TESTED: the effects that the fuzz records. ${problem}. ` +
      'Install bubblewrap and strace to run these tests. ***\n\n',
  );
}

function effect(kind: EffectKind, path: string, wide?: true): Effect {
  const place = {path, inside: true, isFolder: wide === true, state: 'clean'} as const;
  return {kind, target: path, place, by: '', ...(wide && {wide})};
}

describe.skipIf(problem !== undefined)('an effect of a recorded command', () => {
  const world = buildFuzzWorld();
  const recorder = createRecorder(world.folder);
  const unlistedOf = async (command: string, ...effects: readonly Effect[]) =>
    unlistedEffects(effects, await recorder.record(command, 'sh'), world);
  afterAll(() => {
    recorder.remove();
    rmSync(world.folder, {recursive: true});
  });

  it('is reported when it is not listed', async () => {
    expect(await unlistedOf('rm src/a.ts; echo x > new.txt')).toEqual([
      'deleted workspace/src/a.ts',
      'created workspace/new.txt',
    ]);
    expect(await unlistedOf('echo x >> src/a.ts; chmod +x README.md')).toEqual([
      'rights workspace/README.md',
      'changed workspace/src/a.ts',
    ]);
    expect(await unlistedOf('cat .env')).toEqual([
      `read ${world.workspace}/.env`,
      'showed not-a-real-…',
    ]);
    expect(await unlistedOf('cat ~/.netrc')).toEqual([
      `read ${join(world.folder, 'home/.netrc')}`,
      'showed not-a-real-…',
    ]);
    expect(await unlistedOf('echo x > ~/.profile')).toEqual(['created home/.profile']);
    expect(await unlistedOf('./evil.sh x')).toContain('ran ./evil.sh');
    expect(await unlistedOf('touch /usr/x; kill -TERM 1')).toEqual([
      'tried to change /usr/x',
      'sent kill(1, SIGTERM)',
    ]);
    expect(await unlistedOf('echo x > ../beside.txt')).toEqual(['changed beside.txt']);
  });

  it('is not reported when it is listed', async () => {
    expect(await unlistedOf('rm -r src', effect('deletes', 'src', true))).toEqual([]);
    expect(await unlistedOf('mkdir -p a/b', effect('creates', 'a/b'))).toEqual([]);
    expect(await unlistedOf('ls; cat src/a.ts')).toEqual([]);
    expect(await unlistedOf('git status', effect('lists', '', true))).toEqual([]);
  });
});
