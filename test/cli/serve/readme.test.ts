/** The session with a server in `cli/serve/README.md`, as a shell has it. */

import {cpSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';

import {execa} from 'execa';
import {afterEach, beforeEach, expect, test} from 'vitest';

import {codeBlocks, readDocument} from '../../support/documents.ts';
import {createLauncher, type Launcher} from '../../support/launch.ts';
import {launchServer} from '../../support/serving.ts';

let launcher: Launcher;
beforeEach(() => {
  launcher = createLauncher();
});
afterEach(() => launcher.remove());

const [start = '', session = ''] = codeBlocks(readDocument('cli/serve/README.md'), 'console');

/** `…` stands for any text. */
function patternOf(text: string): RegExp {
  return new RegExp(
    `^${text
      .split('…')
      .map((part) => RegExp.escape(part))
      .join('.+')}$`,
  );
}

/** Commands with their output. */
const exchanges = session
  .split(/^\$ /m)
  .slice(1)
  .map((part) => {
    const [, command = '', printed = ''] = /^((?:.*\\\n)*.*)\n(.*)\n$/.exec(part) ?? [];
    return {command, printed};
  });

test('the session on the page has its real output', async () => {
  mkdirSync(join(launcher.folder, 'forms'));
  cpSync(
    'test/fixtures/forms/job-application.toml',
    join(launcher.folder, 'forms', 'application.toml'),
  );
  const [line = '', ...shown] = start.trimEnd().split('\n');
  const args = line.replace('$ quorate serve ', '').split(' ');
  const server = await launchServer(launcher.folder, args, {});
  try {
    await server.ask('/healthz');
    const printed = shown.join('\n').replaceAll('http://127.0.0.1:8787', server.url);
    expect(server.stdout().trimEnd()).toMatch(patternOf(printed));

    const here = server.url.replace('http://', '');
    const env: NodeJS.ProcessEnv = {PATH: process.env['PATH']};
    for (const {command, printed: expected} of exchanges) {
      const words = command.replaceAll('localhost:8787', here);
      const {stdout} = await execa('sh', ['-c', words], {env, extendEnv: false});
      expect(stdout).toMatch(patternOf(expected));
      const [, id, token] = /^\{"id":"([^"]+)","token":"([^"]+)"/.exec(stdout) ?? [];
      if (id !== undefined) Object.assign(env, {ID: id, TOKEN: token});
    }
    expect(exchanges).toHaveLength(2);
  } finally {
    server.child.kill('SIGTERM');
    await server.child;
  }
});
