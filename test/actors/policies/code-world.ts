/**
 * A repository with code in many languages, and a run that writes in it: the verdicts of policies on its commands,
 * unconfined.
 */

import {execFileSync} from 'node:child_process';
import {chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

import {analyseProposal} from '../../../actors/policies/analysis/analyse.ts';
import {type Judgement, judge} from '../../../actors/policies/index.ts';
import type {Evidence} from '../../../machines/domain/evidence.ts';
import {createSurroundings} from '../../../tools/commands/surroundings-of.ts';
import {did, proposalOf} from './proposal.ts';

const tracked: Readonly<Record<string, string>> = {
  '.gitignore': 'dist/\nnode_modules/\n.env\n',
  'package.json': JSON.stringify({
    main: 'src/index.mjs',
    scripts: {
      test: 'node --test',
      'test:unit': 'vitest run',
      lint: 'eslint src',
      report: 'node scripts/report.mjs',
    },
  }),
  'src/main.mjs': 'export const one = 1;\n',
  'test/main.test.mjs':
    "import {one} from '../src/main.mjs';\n\nif (one !== 1) throw new Error();\n",
  'scripts/report.mjs':
    "import {readFileSync} from 'node:fs';\nimport {format} from './format.mjs';\n\nformat(readFileSync('a.txt'));\n",
  'scripts/format.mjs': "export {format} from './deep/format.mjs';\n",
  'scripts/deep/format.mjs': 'export const format = String;\n',
  'scripts/any.mjs': 'await import(process.argv[2]);\n',
  'eslint.config.js': "import {rules} from './rules/index.js';\n\nexport default [{rules}];\n",
  'rules/index.js': 'export const rules = {};\n',
  'vite.config.js': 'export default {};\n',
  'webpack.config.js': 'module.exports = {};\n',
  Makefile: 'all:\n\tnode src/main.mjs\n\nodd:\n\t$(shell node src/main.mjs)\n',
  'tests/test_a.py': 'def test_a():\n    assert True\n',
  'tool.py': 'import sys\nimport helper\n\nhelper.run(sys.argv)\n',
  'helper.py': 'def run(words):\n    print(words)\n',
  'tox.ini': '[tox]\n',
  'Cargo.toml': '[package]\nname = "fixture"\n',
  'lib.rs': 'pub fn one() -> i32 { 1 }\n',
  'go.mod': 'module fixture\n',
  'main.go': 'package main\n\nfunc main() {}\n',
  'pom.xml': '<project/>\n',
  'build.gradle': '\n',
  Rakefile: 'task :default\n',
  Gemfile: '\n',
  'spec/a_spec.rb': '\n',
  'README.md': '# Fixture\n',
};

const ignored: Readonly<Record<string, string>> = {
  'dist/app.js': 'console.log(1);\n',
  '.env': 'KEY=not-a-real-key\n',
};

const installed = ['vitest', 'jest', 'mocha', 'eslint', 'prettier', 'vite', 'webpack', 'babel'];

export interface CodeWorld {
  readonly workspace: string;
  /** Writes as a person does: without evidence of the run. */
  readonly put: (path: string, text: string) => void;
  /** Writes as a tool of the run does. */
  readonly write: (path: string, text: string) => readonly Evidence[];
  readonly git: (...args: readonly string[]) => void;
  readonly judge: (command: string, about?: About) => Promise<Judgement>;
}

interface About {
  readonly evidence?: readonly Evidence[];
  /** Paths that other interactions of the run have changed. */
  readonly changed?: readonly string[];
  readonly isConfined?: boolean;
  readonly isRestorable?: boolean;
}

/** Outside of /tmp, because any user may write there. `hasGit`: the files are committed. */
export function createCodeWorld({hasGit = true} = {}): CodeWorld & {readonly close: () => void} {
  const workspace = realpathSync(mkdtempSync('/var/tmp/quorate-code-'));
  const put: CodeWorld['put'] = (path, text) => {
    mkdirSync(dirname(join(workspace, path)), {recursive: true});
    writeFileSync(join(workspace, path), text);
  };
  const git: CodeWorld['git'] = (...args) => {
    const author = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
    execFileSync('git', [...author, ...args], {cwd: workspace, stdio: 'pipe'});
  };
  for (const [path, text] of Object.entries({...tracked, ...ignored})) put(path, text);
  for (const name of installed) {
    put(`node_modules/.bin/${name}`, '#!/usr/bin/env node\n');
    chmodSync(join(workspace, `node_modules/.bin/${name}`), 0o755);
  }
  if (hasGit) {
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'Begin');
  }
  return {
    workspace,
    put,
    git,
    write: (path, text) => {
      put(path, text);
      return did('write_file', {path, content: text});
    },
    judge: async (command, about = {}) => {
      const {evidence = [], changed = [], isConfined = false, isRestorable = true} = about;
      const calls = [{tool: 'run_command', args: {command}}];
      const confinement = isConfined ? 'confined' : 'unconfined';
      const proposal = proposalOf({workspace, calls, evidence, confinement});
      const analysis = await analyseProposal(proposal, {
        surroundingsOf: createSurroundings,
        isConfined: async () => isConfined,
        isRestorable: async () => isRestorable,
        changed: async () => changed,
      });
      return judge(proposal, analysis);
    },
    close: () => rmSync(workspace, {recursive: true}),
  };
}
