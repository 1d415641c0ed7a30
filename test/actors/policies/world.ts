/** A repository in which tests analyse commands: real files, real git. */

import {execFileSync} from 'node:child_process';
import {mkdtempSync, realpathSync, rmSync} from 'node:fs';

import {analyseProposal} from '../../../actors/policies/analysis/analyse.ts';
import type {CommandAnalysis} from '../../../actors/policies/analysis/analysis.ts';
import {consultPolicy, type Judgement, judge} from '../../../actors/policies/index.ts';
import type {Proposal} from '../../../machines/domain/review.ts';
import type {Ballot} from '../../../machines/questions/ballot.ts';
import type {Baseline} from '../../../tools/commands/look/git-baseline.ts';
import {createSurroundings} from '../../../tools/commands/surroundings-of.ts';
import {createBaselines} from '../../../tools/run/snapshot/baselines.ts';
import {type Files, putFiles} from '../../support/stage.ts';

/** Files as committed. */
const tracked: Files = {
  '.gitignore': 'dist/\nnode_modules/\n.env\n',
  'package.json': JSON.stringify({
    scripts: {
      test: 'node --test',
      build: 'node scripts/make-report.js',
      clean: 'rm -rf dist',
      wipe: 'rm -rf src',
    },
  }),
  'README.md': '# Project\n',
  'src/a.ts': 'export const a = 1;\n',
  'src/b.ts': 'export const b = 2;\n',
  'scripts/build.sh': 'node scripts/make-report.js\n',
  'scripts/wipe.sh': 'rm -rf src\n',
  'scripts/make-report.js': 'report();\n',
};
const loose: Files = {
  'notes.txt': 'mine\n',
  'dist/app.js': 'built\n',

  'node_modules/.bin/vitest': '#!/usr/bin/env node\n',
  'node_modules/.bin/tsc': '#!/usr/bin/env node\n',
  '.env': 'KEY=1\n',
};

export interface TestWorld {
  readonly workspace: string;
  /** Begins a run: from now on, proposals are also judged by the baseline at this moment. */
  readonly begin: () => Promise<void>;
  /** Resumes the run in another process. */
  readonly resume: () => Promise<void>;
  readonly git: (...args: string[]) => unknown;
  readonly put: (files: Files) => void;
  /** Judges a proposal in this workspace, analysed as the runtime does. */
  readonly judge: (proposal: Proposal) => Promise<Judgement>;
  readonly consult: (policy: string, proposal: Proposal) => Promise<Ballot>;
  readonly close: () => void;
}

/** Outside of /tmp, because any user may write there. `more` are files written after the commit. */
export function openWorld(more: Files = {}): TestWorld {
  const workspace = realpathSync(mkdtempSync('/var/tmp/quorate-policies-'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {cwd: workspace});
  putFiles(workspace, tracked);
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'x');
  putFiles(workspace, {...loose, ...more});
  const here = (proposal: Proposal): Proposal => {
    const {workspace: old} = proposal.facts;
    const moved = JSON.stringify(proposal.facts)
      .replaceAll(`"${old}"`, `"${workspace}"`)
      .replaceAll(`"${old}/`, `"${workspace}/`);
    return {...proposal, facts: JSON.parse(moved)};
  };
  const cache = mkdtempSync('/var/tmp/quorate-baselines-');
  let baseline: Baseline | 'lost' | undefined;
  return {
    workspace,
    begin: async () => {
      const baselines = createBaselines(cache);
      baselines.begin('r');
      baseline = await baselines.of('r', workspace);
    },
    resume: async () => {
      baseline = await createBaselines(cache).of('r', workspace);
    },
    git,
    put: (files) => putFiles(workspace, files),
    judge: async (proposal) => judge(here(proposal), await analysis(here(proposal), baseline)),
    consult: async (policy, proposal) =>
      consultPolicy(policy, here(proposal), await analysis(here(proposal), baseline)),
    close: () => {
      rmSync(workspace, {recursive: true});
      rmSync(cache, {recursive: true});
    },
  };
}

async function analysis(
  proposal: Proposal,
  baseline: Baseline | 'lost' | undefined,
): Promise<CommandAnalysis> {
  return await analyseProposal(proposal, {
    surroundingsOf: (workspace) => createSurroundings(workspace, baseline),
    isConfined: async () => false,
    isRestorable: async () => false,
  });
}
