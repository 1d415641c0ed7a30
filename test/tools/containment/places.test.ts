/** One table of places: what a tool guards, the policies refuse and the sandbox keeps read-only. */

import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';

import {afterAll, beforeAll, expect, test} from 'vitest';

import {consultPolicy} from '../../../actors/policies/index.ts';
import {nothingToStudy} from '../../../actors/policies/study.ts';
import {credentialFolders, isCredentialPlace} from '../../../machines/domain/places.ts';
import {protectedReason} from '../../../tools/containment/protected.ts';
import {confine} from '../../../tools/run/sandbox/bubblewrap-arguments.ts';
import {guardWorkspace} from '../../../tools/run/sandbox/workspace.ts';
import {proposalOf} from '../../actors/policies/proposal.ts';

const places = [
  '.git/hooks',
  '.git/config',
  '.githooks',
  '.husky',
  '.lintstagedrc',
  'lefthook.yml',
  '.mcp.json',
  '.vscode',
  '.zed',
  '.windsurf',
  '.codex',
  '.cursorrules',
  '.claude',
  '.npmrc',
  '.envrc',
  '.github/workflows',
  '.github/CODEOWNERS',
  'CODEOWNERS',
  'Jenkinsfile',
  '.drone.yml',
  'quorate.toml',
];

const writing = (path: string) =>
  proposalOf({calls: [{tool: 'write_file', args: {path, content: 'x'}}]});
const reading = (path: string) => proposalOf({calls: [{tool: 'read_file', args: {path}}]});

/** Without these git takes the folder for none of its own. */
const repository = ['.git/HEAD', '.git/objects/x', '.git/refs/x'];

let folder: string;
let args: readonly string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-places-'));
  for (const place of [...places, ...repository, '.git/index', '.github/README.md', 'src/a.ts']) {
    const path = join(folder, 'work', place);
    mkdirSync(dirname(path), {recursive: true});
    writeFileSync(path, '');
  }
  for (const name of credentialFolders) mkdirSync(join(folder, 'home', name), {recursive: true});
  const workspace = join(folder, 'work');
  const env = {HOME: join(folder, 'home'), PATH: '/usr/bin'};
  const {places: guarded} = await guardWorkspace({workspace, env});
  args = confine({workspace, folder: workspace, env, places: guarded});
});

afterAll(() => rmSync(folder, {recursive: true}));

function readOnly(place: string): boolean {
  const path = join(folder, 'work', place);
  return args.some((arg, at) => arg === '--ro-bind' && args[at + 1] === path);
}

test.each(places)('%s is guarded by tool, policy and sandbox alike', (place) => {
  expect(protectedReason(place, undefined, 'x')).toContain('only a person');
  const {reasons} = consultPolicy('scope', writing(place), nothingToStudy);
  expect(reasons.join('\n')).toContain('scope/protected-config');
  expect(readOnly(place)).toBe(true);
});

test('what is beside them stays writable for commands', () => {
  for (const place of ['.git', '.git/index', '.github', '.github/README.md', 'src', 'src/a.ts']) {
    expect(readOnly(place)).toBe(false);
  }
});

test.each(credentialFolders)('%s is read by no policy and seen in no sandbox', (place) => {
  expect(isCredentialPlace(`/home/me/${place}/x`)).toBe(true);
  const {reasons} = consultPolicy('safety', reading(`~/${place}/x`), nothingToStudy);
  expect(reasons.join('\n')).toContain('safety/read-credentials');
  expect(args).toContain(join(folder, 'home'));
  expect(args.filter((arg) => arg.startsWith(`${join(folder, 'home')}/.`))).toEqual([]);
});

test('the table is data for all layers: it imports nothing', () => {
  const source = readFileSync(
    join(import.meta.dirname, '../../../machines/domain/places.ts'),
    'utf8',
  );
  expect(source).not.toMatch(/^import/m);
});
