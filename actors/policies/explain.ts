/** Judges one command by the policy reviewers, outside of any run: for people and programs that ask before they run it. */

import {hashOf} from '../../machines/domain/digest.ts';
import type {Proposal} from '../../machines/domain/review.ts';
import {factsOf} from '../../machines/domain/tool-facts.ts';
import {createSurroundings} from '../../tools/commands/surroundings-of.ts';
import {runCommand} from '../../tools/run/run-command.ts';
import {createAnalyser} from './analysis/analyse.ts';
import {judge, type Judgement} from './index.ts';

export interface CommandAsked {
  readonly command: string;
  /** The task of the person. Absent: policy/scope is not consulted. */
  readonly request?: string;
  /** The folder in which the command would start: absolute, links resolved. */
  readonly workspace: string;
}

/**
 * Judges the command as if it ran unconfined, as the first action of a run. Reads the workspace, changes nothing. Never
 * rejects.
 */
export async function explainCommand(asked: CommandAsked): Promise<Judgement> {
  const proposal = commandProposal(asked);
  const analysis = await createAnalyser()(proposal, {
    surroundingsOf: createSurroundings,
    isConfined: async () => false,
    isRestorable: async () => false,
  });
  return judge(proposal, analysis);
}

function commandProposal({command, request = '', workspace}: CommandAsked): Proposal {
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
      confinement: 'unconfined',
    },
  };
}
