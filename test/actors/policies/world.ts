/** A repository in which tests analyse commands: real files, real git. */

import {execFileSync} from 'node:child_process';
import {mkdtempSync, realpathSync, rmSync} from 'node:fs';

import {analyseProposal} from '../../../actors/policies/analysis/analyse.ts';
import {type CommandAnalysis} from '../../../actors/policies/analysis/analysis.ts';
import {type Answer, consultPolicy, type Judgement, judge} from '../../../actors/policies/index.ts';
import type {Proposal} from '../../../machines/domain/review.ts';
import type {Ballot} from '../../../machines/questions/ballot.ts';
import {type Files, putFiles} from '../../support/stage.ts';
import {commandProposal} from './proposal.ts';

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

/** `contained`: commands run confined, and their changes can be undone. */
export type Grade = 'unconfined' | 'contained';

export interface TestWorld {
  readonly workspace: string;
  readonly git: (...args: string[]) => unknown;
  readonly put: (files: Files) => void;
  /** Judges a proposal in this workspace, analysed as the runtime does; unconfined, if no grade is given. */
  readonly judge: (proposal: Proposal, grade?: Grade) => Promise<Judgement>;
  /** The verdicts on a command in both grades, unconfined first. */
  readonly verdictsOn: (command: string, request?: string) => Promise<readonly Answer[]>;
  readonly consult: (policy: string, proposal: Proposal, grade?: Grade) => Promise<Ballot>;
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
  const judgeHere: TestWorld['judge'] = async (proposal, grade) =>
    judge(here(proposal), await analysisOf(here(proposal), grade));
  return {
    workspace,
    git,
    put: (files) => putFiles(workspace, files),
    judge: judgeHere,
    verdictsOn: async (command, request) => {
      const proposal = commandProposal(command, request);
      const unconfined = await judgeHere(proposal);
      return [unconfined.verdict, (await judgeHere(proposal, 'contained')).verdict];
    },
    consult: async (policy, proposal, grade) =>
      consultPolicy(policy, here(proposal), await analysisOf(here(proposal), grade)),
    close: () => rmSync(workspace, {recursive: true}),
  };
}

async function analysisOf(
  proposal: Proposal,
  grade: Grade = 'unconfined',
): Promise<CommandAnalysis> {
  return await analyseProposal(proposal, {
    isConfined: async () => grade === 'contained',
    isRestorable: async () => grade === 'contained',
  });
}
