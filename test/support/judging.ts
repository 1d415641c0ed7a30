/** The policies' judgement of a command in a workspace, unconfined. */

import {createAnalyser} from '../../actors/policies/analysis/analyse.ts';
import {judge, type Judgement} from '../../actors/policies/index.ts';
import {createSurroundings} from '../../tools/commands/surroundings-of.ts';
import {proposalOf} from '../actors/policies/proposal.ts';

export const request = 'Fix the failing test';

/** @param asked The request; empty: it is unknown, and policy/scope is not consulted. */
export type JudgeStudied = (asked?: string) => Judgement;

/**
 * Collects the policies' facts about a command once, independent of the request. Commands are judged as the first of a
 * run: it has read nothing and written nothing.
 */
export type StudyCommand = (command: string) => Promise<JudgeStudied>;

export function createJudge(workspace: string): StudyCommand {
  const analyseProposal = createAnalyser();
  const deps = {
    surroundingsOf: createSurroundings,
    isConfined: async () => Promise.resolve(false),
    isRestorable: async () => Promise.resolve(false),
  };
  return async (command) => {
    const calls = [{tool: 'run_command', args: {command}}];
    const proposal = (asked: string) =>
      proposalOf({calls, workspace, request: asked}, {hash: command});
    const analysis = await analyseProposal(proposal(request), deps);
    return (asked = request) => judge(proposal(asked), analysis);
  };
}
