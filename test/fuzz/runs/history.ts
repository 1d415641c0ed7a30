/** Git's data that a run may lose: refs, HEAD, the stash, the index and the objects that they need. Reads them without running anything. */

import {execFileSync} from 'node:child_process';
import {join} from 'node:path';

import {contentOf} from './world.ts';

/** By place, relative to the world: its state, or `unreadable`. */
type History = ReadonlyMap<string, string>;

const safe = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'gc.auto=0'].flatMap((one) => [
  '-c',
  one,
]);

function git(workspace: string, args: readonly string[], input = ''): string {
  try {
    return execFileSync('git', [...safe, ...args], {
      cwd: workspace,
      input,
      encoding: 'utf8',
      maxBuffer: 10_000_000,
      stdio: ['pipe', 'pipe', 'ignore'],
      env: {
        PATH: process.env['PATH'],
        HOME: '/nonexistent',
        GIT_DIR: join(workspace, '.git'),
        GIT_WORK_TREE: workspace,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_OPTIONAL_LOCKS: '0',
        GIT_NO_LAZY_FETCH: '1',
        GIT_ALLOW_PROTOCOL: 'none',
      },
    });
  } catch {
    return 'unreadable';
  }
}

export function historyIn(workspace: string): History {
  const refs = git(workspace, ['for-each-ref', '--format=%(refname) %(objectname)'])
    .split('\n')
    .filter((line) => line.startsWith('refs/') && !line.startsWith('refs/quorate/'))
    .map((line) => line.split(' '))
    .map(([name = '', id = '']) => [name, stateOf(workspace, id)] as const);
  const log = contentOf(join(workspace, '.git/logs/refs/stash')) ?? '';
  const stashed = log.split('\n').flatMap((line) => line.split(' ')[1] ?? []);
  const index = git(workspace, ['ls-files', '--stage']);
  const blobs = index.split('\n').flatMap((line) => line.split(' ')[1] ?? []);
  const held = git(workspace, ['cat-file', '--batch-check'], blobs.join('\n'));
  return new Map([
    ...refs,
    ['HEAD', contentOf(join(workspace, '.git/HEAD'))?.trim() ?? 'absent'],
    ['stash', stashed.map((id) => stateOf(workspace, id)).join(' ')],
    ['index', held.includes(' missing') ? 'unreadable' : index],
  ]);
}

/** The id, if everything that it reaches is there. */
function stateOf(workspace: string, id: string): string {
  const all = git(workspace, ['rev-list', '--objects', '--quiet', id]);
  return all === 'unreadable' ? `${id} unreadable` : id;
}

/** Places whose state is not as before. Places that a run has added are none. */
export function historyLost(workspace: string, before: History): readonly string[] {
  const now = historyIn(workspace);
  return [...before].flatMap(([place, state]) => (now.get(place) === state ? [] : [place]));
}
