/** Judges one command by the policy reviewers, outside of any run: for people and programs that ask before they run it. */

import {hashOf} from '../../machines/domain/digest.ts';
import type {Proposal} from '../../machines/domain/review.ts';
import {factsOf} from '../../machines/domain/tool-facts.ts';
import {type Confinement, isConfining} from '../../machines/domain/tool.ts';
import {createMemo} from '../../tools/memo.ts';
import {runCommand} from '../../tools/run/run-command.ts';
import {createSandbox, type SandboxOptions} from '../../tools/run/sandbox.ts';
import {createSnapshots} from '../../tools/run/snapshot/snapshots.ts';
import {createAnalyser} from './analysis/analyse.ts';
import {judge, type Judgement} from './index.ts';

export interface CommandAsked {
  readonly command: string;
  /** The task of the person. Absent: policy/scope is not consulted. */
  readonly request?: string;
  /** The folder in which the command would start: absolute, links resolved. */
  readonly workspace: string;
}

export interface Grade {
  readonly by: Confinement;
  /** All changes in the workspace could be undone. */
  readonly isRestorable: boolean;
}

/** Judges commands as the first action of a run, confined as they would be. Reads the workspace, changes nothing. */
export interface Explainer {
  /** Never rejects. */
  readonly explain: (asked: CommandAsked) => Promise<Judgement & {readonly grade: Grade}>;
  readonly close: () => void;
}

export function createExplainer(options: SandboxOptions): Explainer {
  const sandbox = createSandbox(options);
  const snapshots = createSnapshots();
  const once = createMemo<Grade>();
  const gradeIn = async (workspace: string): Promise<Grade> => {
    const probe = await sandbox.probe(workspace);
    if (!probe.confined) return {by: 'none', isRestorable: false};
    return {by: probe.by, isRestorable: await snapshots.isRestorable(workspace)};
  };
  return {
    explain: async (asked) => {
      const grade = await once(asked.workspace, async () => await gradeIn(asked.workspace));
      const isConfined = isConfining(grade.by);
      const proposal = commandProposal(asked, grade.by);
      const analysis = await createAnalyser()(proposal, {
        isConfined: async () => isConfined,
        isRestorable: async () => grade.isRestorable,
        unkeptIn: async (workspace) => (isConfined ? await snapshots.unkeptIn(workspace) : []),
      });
      return {...judge(proposal, analysis), grade};
    },
    close: () => snapshots.close(),
  };
}

function commandProposal(
  {command, request = '', workspace}: CommandAsked,
  confinement: Confinement,
): Proposal {
  const args = {command};
  return {
    kind: 'action',
    title: command,
    hash: hashOf(args),
    text: command,
    facts: {
      request,
      workspace,
      calls: [{tool: runCommand.name, args, facts: factsOf(runCommand)}],
      evidence: [],
      claims: [],
      confinement,
    },
  };
}
