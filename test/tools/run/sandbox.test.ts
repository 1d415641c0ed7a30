/** The sandbox of commands: the behaviour of each mode without a sandbox, or with one that does not confine. */

import {chmodSync, existsSync} from 'node:fs';
import {dirname, join} from 'node:path';

import {describe, expect, onTestFinished, test} from 'vitest';

import {createSandbox} from '../../../tools/index.ts';
import {gitIdentity} from '../../../tools/run/sandbox/repository.ts';
import {createPlace, type Place, textOf, verdictOf} from '../place.ts';
import {canConfine, createConfined} from './confined.ts';

/** A program in place of bubblewrap. */
function putStandIn(place: Place, body: string): string {
  const path = place.put('bin/bwrap', `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

const passOn = 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"';

describe('where bubblewrap is missing', () => {
  const missing = {candidates: ['/nowhere/bwrap']};

  test('auto runs commands unconfined, and warns before', async () => {
    const auto = createConfined('auto', missing);
    const outcome = await auto.run('run_command', {command: 'echo ran'});
    expect(outcome).toMatchObject({text: 'ran\n', confinement: 'none'});
    expect(await auto.preview('run_command', {command: 'echo ran'})).toMatchObject({
      confinement: 'none',
      preview: expect.stringContaining('unconfined'),
    });
  });

  test('required refuses, with a remedy', async () => {
    const required = createConfined('required', missing);
    const refusal = {
      kind: 'refused',
      code: 'sandbox_missing',
      message: expect.stringMatching(/bubblewrap \(bwrap\) is not installed; install/),
    };
    expect(await required.run('run_command', {command: 'touch made'})).toMatchObject(refusal);
    expect(await required.preview('run_command', {command: 'touch made'})).toMatchObject(refusal);
    expect(existsSync(join(required.workspace, 'made'))).toBe(false);
  });
});

describe('an installed bubblewrap', () => {
  test.each([
    ['fails', 'echo "bwrap: No permissions to create new namespace" >&2; exit 1', /No permissions/],
    ['does nothing and says that all is well', 'exit 0', /does not work here$/],
    ['runs what it was given without confining it', passOn, /does not work here$/],
  ])('that %s counts as missing, and the reason is reported', async (_what, body, why) => {
    const tools = createPlace();
    const before = process.env['HOME'];
    process.env['HOME'] = tools.workspace;
    onTestFinished(() => void (process.env['HOME'] = before));
    tools.put('.gitconfig', '[user]\n\tname = me\n[alias]\n\tkept = status\n');
    const candidates = [putStandIn(tools, body)];
    const sandbox = createSandbox({mode: 'auto', grades: ['bubblewrap'], candidates});
    expect(await sandbox.probe(tools.workspace)).toEqual({
      confined: false,
      why: expect.stringMatching(why),
    });
    const required = createConfined('required', {candidates});
    expect(verdictOf(await required.run('run_command', {command: 'true'}))).toBe(
      'refused/sandbox_missing',
    );
    const auto = createConfined('auto', {candidates});
    const outcome = await auto.run('run_command', {command: 'echo ran'});
    expect(outcome).toMatchObject({kind: 'succeeded', text: 'ran\n', confinement: 'none'});
    expect(tools.text('.gitconfig')).toContain('kept = status');
  });

  test('is probed once per start, not once per command', async () => {
    const tools = createPlace();
    const log = join(tools.workspace, 'log');
    const candidates = [putStandIn(tools, `echo tried >>${log}; exit 1`)];
    const auto = createConfined('auto', {candidates});
    await auto.preview('run_command', {command: 'true'});
    await auto.run('run_command', {command: 'true'});
    await auto.run('run_command', {command: 'true'});
    expect(tools.text('log')).toBe('tried\n');
  });

  test('is probed once for all equal sandboxes of a process', async () => {
    const tools = createPlace();
    const log = join(tools.workspace, 'log');
    const candidates = [putStandIn(tools, `echo tried >>${log}; exit 1`)];
    const probe = async (network: readonly string[] = []) =>
      await createSandbox({mode: 'auto', grades: ['bubblewrap'], candidates, network}).probe(
        tools.workspace,
      );
    expect(await probe()).toEqual(await probe());
    expect(tools.text('log')).toBe('tried\n');
    await probe(['example.com:443']);
    expect(tools.text('log')).toBe('tried\ntried\n');
  });

  test.each([
    ['hangs', 'exec sleep 60'],
    ['is killed', 'kill -9 $$'],
  ])('that %s in its first trial is tried again at the next need', async (_what, first) => {
    const tools = createPlace();
    const log = join(tools.workspace, 'log');
    const works = `echo 'mnt:[1]'; echo writable`;
    const body = `echo tried >>${log}; [ "$(wc -l <${log})" -gt 1 ] || ${first}; ${works}`;
    const candidates = [putStandIn(tools, body)];
    const sandbox = createSandbox({
      mode: 'auto',
      grades: ['bubblewrap'],
      candidates,
      trialMs: 1_000,
    });
    expect(await sandbox.probe(tools.workspace)).toEqual({
      confined: false,
      why: 'bubblewrap gave no answer',
    });
    expect(await sandbox.probe(tools.workspace)).toMatchObject({confined: true});
    expect(await sandbox.probe(tools.workspace)).toMatchObject({confined: true});
    expect(tools.text('log')).toBe('tried\ntried\n');
  });

  test('is not probed when the sandbox is off', async () => {
    const tools = createPlace();
    const log = join(tools.workspace, 'log');
    const off = createConfined('off', {candidates: [putStandIn(tools, `echo tried >>${log}`)]});
    expect(textOf(await off.run('run_command', {command: 'echo ran'}))).toBe('ran\n');
    expect(existsSync(log)).toBe(false);
  });
});

test('an author that git did not name in time is looked up again', async () => {
  const tools = createPlace();
  const log = join(tools.workspace, 'log');
  const hang = `echo tried >>${log}; [ "$(wc -l <${log})" -gt 1 ] || exec sleep 60`;
  const git = tools.put('bin/git', `#!/bin/sh\n${hang}; printf 'user.name\\nann\\0'\n`);
  chmodSync(git, 0o755);
  const env = {HOME: tools.workspace, PATH: `${dirname(git)}:/usr/bin:/bin`};
  expect(await gitIdentity(env)).toBe('');
  expect(await gitIdentity(env)).toBe('[user]\n\tname = "ann"\n');
  expect(await gitIdentity(env)).toContain('ann');
  expect(tools.text('log')).toBe('tried\ntried\n');
});

test('a workspace that is the whole file system cannot be confined', async () => {
  const probe = await createSandbox({mode: 'required', candidates: ['/bin/sh']}).probe('/');
  expect(probe).toMatchObject({confined: false, why: expect.stringContaining('workspace is /')});
});

test.skipIf(!canConfine)('a sandbox that works says by what', async () => {
  const place = createConfined('required');
  const probe = await createSandbox({mode: 'auto'}).probe(place.workspace);
  expect(probe).toEqual({confined: true, by: 'bubblewrap', network: []});
  expect(await place.preview('run_command', {command: 'true'})).toMatchObject({
    confinement: 'bubblewrap',
  });
  expect(await place.run('run_command', {command: 'true'})).toMatchObject({
    confinement: 'bubblewrap',
  });
});
