/** Code that git does not know, run by a runner in a sandbox: it reaches neither the network nor credentials. */

import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {createServer} from 'node:http';

import {describe, expect, onTestFinished, test} from 'vitest';

import {type Place, textOf} from '../place.ts';
import {canConfine, createConfined} from './confined.ts';

const runner = {command: 'node --test --test-reporter=tap'};

async function serve(): Promise<number> {
  const server = createServer((_, response) => response.end('reached'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

function commitAll({workspace}: Place): void {
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {cwd: workspace});
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'x');
}

describe.skipIf(!canConfine)('a test in a sandbox', () => {
  test.each([
    ['that git knows reaches hosts that commands may reach', [], /answer: reached/],
    ['that the run has changed reaches none', ['test/a.test.mjs'], /answer: failed/],
  ])('%s', async (_, changed, expected) => {
    const port = await serve();
    const place = createConfined('required', {network: [`127.0.0.1:${port}`]});
    place.put(
      'test/a.test.mjs',
      `await fetch('http://127.0.0.1:${port}/').then(async r => console.log('answer:', await r.text()), () => console.log('answer: failed'));\n`,
    );
    commitAll(place);
    const outcome = await place.run('run_command', runner, {changed: async () => changed});
    expect(textOf(outcome)).toMatch(expected);
    const ready = await place.preview('run_command', runner, changed);
    const line = changed.length > 0 ? 'no network' : `network: only 127.0.0.1:${port}`;
    expect(ready).toMatchObject({
      preview: expect.stringContaining(`confined by bubblewrap, ${line}\n`),
    });
  });

  test('that git does not know prints no credentials', async () => {
    const place = createConfined();
    place.put('.gitignore', '.env\n');
    place.put('.env', 'KEY=hunter2\n');
    commitAll(place);
    place.put(
      'test/b.test.mjs',
      "import {readFileSync} from 'node:fs';\n\nconsole.log('ran');\nconsole.log(readFileSync('.env', 'utf8'));\n",
    );
    const text = textOf(await place.run('run_command', runner));
    expect(text).toContain('ran');
    expect(text).not.toContain('hunter2');
  });
});
