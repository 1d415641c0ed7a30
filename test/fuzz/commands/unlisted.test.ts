import {execFileSync} from 'node:child_process';
import {rmSync} from 'node:fs';

import {afterAll, describe, expect, it} from 'vitest';

import type {Effect, EffectKind} from '../../../tools/commands/effect.ts';
import {buildFuzzWorld} from './fuzz-world.ts';
import {createRecorder} from './recorder.ts';
import {unlistedEffects} from './unlisted.ts';

/** They are on Linux alone, where they are installed, and where a process may trace another. */
function canRecord(): boolean {
  try {
    const mounts = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'];
    const traced = ['strace', '-f', '--seccomp-bpf', '-o', '/dev/null', 'true'];
    execFileSync('bwrap', ['--unshare-all', ...mounts, ...traced], {stdio: 'ignore'});
    return true;
  } catch {
    return false;
  }
}

function effect(kind: EffectKind, path: string, wide?: true): Effect {
  const place = {path, inside: true, isFolder: wide === true, state: 'clean'} as const;
  return {kind, target: path, place, by: '', ...(wide && {wide})};
}

describe.skipIf(!canRecord())('what a recorded command does', () => {
  const world = buildFuzzWorld();
  const recorder = createRecorder(world.folder);
  const unlistedOf = async (command: string, ...effects: readonly Effect[]) =>
    unlistedEffects(effects, await recorder.record(command, 'sh'), world);
  afterAll(() => {
    recorder.remove();
    rmSync(world.folder, {recursive: true});
  });

  it('is told when it is not listed', async () => {
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
    expect(await unlistedOf('./evil.sh x')).toContain('ran ./evil.sh');
    expect(await unlistedOf('touch /usr/x; kill -TERM 1')).toEqual([
      'tried to change /usr/x',
      'sent kill(1, SIGTERM)',
    ]);
    expect(await unlistedOf('echo x > ../beside.txt')).toEqual(['changed beside.txt']);
  });

  it('is not told when it is listed', async () => {
    expect(await unlistedOf('rm -r src', effect('deletes', 'src', true))).toEqual([]);
    expect(await unlistedOf('mkdir -p a/b', effect('creates', 'a/b'))).toEqual([]);
    expect(await unlistedOf('ls; cat src/a.ts')).toEqual([]);
    expect(await unlistedOf('git status', effect('lists', '', true))).toEqual([]);
  });
});
