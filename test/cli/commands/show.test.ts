/** `quorate show` states each change of an ended run once. */

import {mkdirSync} from 'node:fs';
import {join} from 'node:path';

import {expect, onTestFinished, test} from 'vitest';

import {createLauncher} from '../../support/launch.ts';

test('a file that a run has made is listed once, with its lines and its diff', async () => {
  const launcher = createLauncher();
  onTestFinished(() => launcher.remove());
  const workspace = join(launcher.folder, 'work');
  mkdirSync(workspace);
  const request = 'Create a file notes.txt with the content "Hello"';
  expect(await launcher.perform(['-C', workspace, request])).toMatchObject({code: 0});
  const {stdout} = await launcher.perform(['-C', workspace, 'show']);
  expect(stdout).toContain('\nChanges\n  notes.txt +1 −0\n    @@ -0,0 +1,1 @@\n    +Hello\n');
  expect(stdout.split('notes.txt +1 −0')).toHaveLength(2);
  expect(stdout).not.toContain('\nWritten\n');
});
