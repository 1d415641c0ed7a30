/** One table of places: guarded by tools, refused by policies, and read-only in the sandbox. */

import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';

import {afterAll, beforeAll, expect, test} from 'vitest';

import {emptyAnalysis} from '../../../actors/policies/analysis/analysis.ts';
import {consultPolicy} from '../../../actors/policies/index.ts';
import {
  credentialFolders,
  isCredentialPlace,
  protectedKind,
} from '../../../machines/places/places.ts';
import {protectedReason} from '../../../tools/containment/package-files.ts';
import {confine} from '../../../tools/run/sandbox/bubblewrap.ts';
import {guardWorkspace} from '../../../tools/run/sandbox/workspace.ts';
import {proposalOf} from '../../actors/policies/proposal.ts';
import {openWorld, type TestWorld} from '../../actors/policies/world.ts';
import {codePlaces} from '../../support/code-places.ts';
import {cells} from '../../support/rows.ts';

const places = [
  ...cells(`
  .git/hooks ¦ .git/config ¦ .githooks ¦ .husky ¦ .lintstagedrc ¦ lefthook.yml ¦ .mcp.json
  .vscode ¦ .zed ¦ .windsurf ¦ .codex ¦ .cursorrules ¦ .claude ¦ .npmrc ¦ .envrc
  .github/workflows ¦ .github/CODEOWNERS ¦ CODEOWNERS ¦ Jenkinsfile ¦ .drone.yml ¦ quorate.toml
`),
  ...codePlaces,
];

const writing = (path: string) =>
  proposalOf({calls: [{tool: 'write_file', args: {path, content: 'x'}}]});
const reading = (path: string) => proposalOf({calls: [{tool: 'read_file', args: {path}}]});

/** Without these files git does not regard the folder as a repository. */
const repository = ['.git/HEAD', '.git/objects/x', '.git/refs/x'];

let world: TestWorld;
let folder: string;
let args: readonly string[];

beforeAll(async () => {
  world = openWorld();
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

afterAll(() => {
  world.close();
  rmSync(folder, {recursive: true});
});

/** The place or a folder above it. */
function readOnly(place: string): boolean {
  const parts = place.split('/');
  const paths = new Set(parts.map((_, at) => join(folder, 'work', ...parts.slice(0, at + 1))));
  return args.some((arg, at) => arg === '--ro-bind' && paths.has(args[at + 2] ?? ''));
}

test.each(places)('%s is guarded by tool, policy and sandbox', (place) => {
  expect(protectedReason(place, undefined, 'x')).toContain('only a person');
  const {reasons} = consultPolicy('scope', writing(place), emptyAnalysis);
  expect(reasons.join('\n')).toContain('scope/protected-config');
  expect(readOnly(place)).toBe(true);
});

const edit = (path: string) =>
  proposalOf({calls: [{tool: 'edit_file', args: {path, old_text: 'a', new_text: 'b'}}]});
const running = (command: string) => proposalOf({calls: [{tool: 'run_command', args: {command}}]});

test.each(places)(
  '%s is not changed by edit_file or a command that nobody asked for',
  async (place) => {
    const command = running(`echo x >'${place}'`);
    for (const proposal of [edit(place), command]) {
      const {rules} = await world.consult('scope', proposal);
      expect(rules).toContain('protected-config');
    }
  },
);

test.each(['AGENTS.md', 'gradlew', 'flake.nix', 'Vagrantfile', '.mvn/jvm.config'])(
  '%s may be changed when the request names it',
  (place) => {
    const proposal = proposalOf({
      request: `Update ${place}`,
      calls: [{tool: 'write_file', args: {path: place, content: 'x'}}],
    });
    expect(consultPolicy('scope', proposal, emptyAnalysis).rules ?? []).toEqual([]);
  },
);

test('instructions of agents and wrappers of builds need no further approval once the request names them', () => {
  for (const path of ['AGENTS.md', 'docs/AGENTS.md', 'gradlew', '.mvn/jvm.config']) {
    expect(protectedReason(path, undefined, 'x', `Update ${path}`)).toBeUndefined();
    expect(protectedReason(path, undefined, 'x', 'Fix the failing test')).toContain(
      'only a person',
    );
  }
  expect(protectedReason('.npmrc', undefined, 'x', 'Update .npmrc')).toContain('only a person');
});

test.each(
  cells(`
  src/agents.ts ¦ docs/claude.txt ¦ weights/model.pth ¦ gradle/libs.versions.toml ¦ tools/bazel.ts
  compose.yaml ¦ docker-compose.yml ¦ src/flake.ts ¦ .kiro/specs/a.md ¦ .jj/working_copy/x
`),
)('%s does not run by itself', (path) => {
  expect(protectedKind(path)).toBeUndefined();
});

test('neighbours of the places stay writable for commands', () => {
  for (const place of ['.git', '.git/index', '.github', '.github/README.md', 'src', 'src/a.ts']) {
    expect(readOnly(place)).toBe(false);
  }
});

test.each(credentialFolders)('policies refuse to read %s, and the sandbox hides it', (place) => {
  expect(isCredentialPlace(`/home/me/${place}/x`)).toBe(true);
  const {reasons} = consultPolicy('safety', reading(`~/${place}/x`), emptyAnalysis);
  expect(reasons.join('\n')).toContain('safety/read-credentials');
  expect(args).toContain(join(folder, 'home'));
  expect(args.filter((arg) => arg.startsWith(`${join(folder, 'home')}/.`))).toEqual([]);
});

test('the tables are data for all layers: they import nothing', () => {
  const path = join(import.meta.dirname, '../../../machines/places/places.ts');
  expect(readFileSync(path, 'utf8').match(/^import.*$/gm)).toBeNull();
});
