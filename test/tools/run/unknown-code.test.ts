/** Commands with unknown effects: they cannot plant anything that runs later, confined or not. */

import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, test} from 'vitest';

import {type Place, textOf} from '../place.ts';
import {canConfine, createConfined} from './confined.ts';

/** Not understood, so that no rule knows its effects. */
function unknown(script: string): {readonly command: string} {
  return {command: `python3 - <<'E'\nimport os, subprocess\nexec("""${script}""")\nE`};
}

function inRepository(place: Place): Place {
  place.put('src/a.js', '1\n');
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {
      cwd: place.workspace,
    });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'x');
  return place;
}

const isThere = ({workspace}: Place, path: string): boolean => existsSync(join(workspace, path));
const read = ({workspace}: Place, path: string): string =>
  readFileSync(join(workspace, path), 'utf8');

describe.skipIf(!canConfine)('confined', () => {
  test('unknown code cannot change installed packages, only the caches of tools', async () => {
    const place = inRepository(createConfined());
    place.put('node_modules/dep/index.js', 'old\n');
    place.put('packages/a/node_modules/dep/index.js', 'old\n');
    place.put('env/pyvenv.cfg', 'home = /usr\n');
    place.put('env/lib/dep.py', 'old\n');
    const files = [
      'node_modules/dep/index.js',
      'node_modules/.bin/tsc',
      'packages/a/node_modules/dep/index.js',
      'env/lib/dep.py',
      'node_modules/.cache/x',
      'node_modules/.vite-temp/x',
    ];
    const script = files.map(
      (file) =>
        `try:\n  os.makedirs(os.path.dirname('${file}'), exist_ok=True); open('${file}', 'w').write('new')\nexcept OSError: print('closed: ${file}')`,
    );
    const text = textOf(await place.run('run_command', unknown(script.join('\n'))));
    expect(files.filter((file) => text.includes(`closed: ${file}\n`))).toEqual(files.slice(0, 4));
    expect(read(place, 'node_modules/.cache/x')).toBe('new');
    expect(read(place, 'node_modules/dep/index.js')).toBe('old\n');
  });

  test('an understood command changes packages', async () => {
    const place = inRepository(createConfined());
    place.put('node_modules/dep/index.js', 'old\n');
    await place.run('run_command', {command: 'rm -rf node_modules/dep'});
    expect(isThere(place, 'node_modules/dep')).toBe(false);
  });

  test('unknown code cannot change protected places in deep folders', async () => {
    const place = inRepository(createConfined());
    place.put('packages/a/AGENTS.md', 'old\n');
    await place.run('run_command', unknown("open('packages/a/AGENTS.md', 'w').write('new')"));
    expect(read(place, 'packages/a/AGENTS.md')).toBe('old\n');
  });
});

describe.each([
  ['confined', 'required'],
  ['unconfined', 'off'],
] as const)('%s', (name, mode) => {
  const create = (): Place => inRepository(createConfined(mode));

  test.skipIf(name === 'confined' && !canConfine)(
    'protected places that unknown code makes get another name, at any depth',
    async () => {
      const place = create();
      const script =
        "os.makedirs('src/.vscode'); open('src/.vscode/tasks.json', 'w').write('x'); open('src/CLAUDE.md', 'w').write('x'); open('src/b.js', 'w').write('x')";
      const text = textOf(await place.run('run_command', unknown(script)));
      expect(text).toContain('src/CLAUDE.md is protected: only a person may make it');
      expect(isThere(place, 'src/CLAUDE.md')).toBe(false);
      expect(isThere(place, 'src/CLAUDE.md.not-allowed')).toBe(true);
      expect(isThere(place, 'src/.vscode.not-allowed/tasks.json')).toBe(true);
      expect(isThere(place, 'src/b.js')).toBe(true);
    },
  );

  test.skipIf(name === 'confined' && !canConfine)(
    'unknown code makes the own repository run nothing, by a hard link either',
    async () => {
      const place = create();
      const before = read(place, '.git/config');
      const script = `
try:
  os.link('.git/config', 'c'); open('c', 'a').write('[core]\\\\nfsmonitor = touch MARK; false\\\\n')
  open('.git/hooks/pre-commit', 'w').write('#!/bin/sh\\\\ntouch MARK\\\\n'); os.chmod('.git/hooks/pre-commit', 0o755)
except OSError as error: print(error)`;
      await place.run('run_command', unknown(script));
      expect(read(place, '.git/config')).toBe(before);
      execFileSync('git', ['status'], {cwd: place.workspace, env: {HOME: '/nonexistent'}});
      expect(isThere(place, 'MARK')).toBe(false);
      expect(isThere(place, '.git/hooks/pre-commit')).toBe(false);
    },
  );

  test.skipIf(name === 'confined' && !canConfine)(
    'what a person allowed stays as the command left it',
    async () => {
      const place = create();
      const script = "open('src/CLAUDE.md', 'w').write('x')";
      await place.run('run_command', unknown(script), {allowedBy: 'person'});
      expect(isThere(place, 'src/CLAUDE.md')).toBe(true);
    },
  );
});
