import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {PassThrough} from 'node:stream';
import {fileURLToPath} from 'node:url';

import {describe, expect, test} from 'vitest';

function collect(stream: PassThrough): () => string {
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  return () => text;
}

describe('signals', {timeout: 60_000}, () => {
  const script = fileURLToPath(new URL('waiting-session.ts', import.meta.url));
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s suspends with exit 130',
    async (signal) => {
      const child = spawn(process.execPath, [script], {stdio: ['ignore', 'pipe', 'pipe']});
      const out = collect(child.stdout.pipe(new PassThrough()));
      const err = collect(child.stderr.pipe(new PassThrough()));
      await once(child.stderr, 'data');
      child.kill(signal);
      expect((await once(child, 'close'))[0]).toBe(130);
      expect(out()).toBe('');
      expect(err().match(/continue with: quorate resume run-1\n/g)).toHaveLength(1);
    },
  );

  test('a second signal ends the process at once', async () => {
    const child = spawn(process.execPath, [script, 'stubborn'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const err = collect(child.stderr.pipe(new PassThrough()));
    await once(child.stderr, 'data');
    child.kill('SIGINT');
    while (!err().includes('asked to suspend')) await once(child.stderr, 'data');
    child.kill('SIGINT');
    expect((await once(child, 'close'))[0]).toBe(130);
    expect(err()).not.toContain('suspended; continue');
  });
});
