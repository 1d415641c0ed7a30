/** What the policies say of a command in a workspace, unconfined. */

import {judge, type Judgement} from '../../actors/policies/index.ts';
import {createStudies} from '../../actors/policies/studies.ts';
import {createSurroundings} from '../../tools/commands/surroundings-of.ts';
import {proposalOf} from '../actors/policies/proposal.ts';

/** Commands are judged as the first of a run: it has read nothing and written nothing. */
export type JudgeCommand = (command: string) => Promise<Judgement>;

export const request = 'Fix the failing test';

/** @param asked What was asked for; empty: nothing is known of it, and policy/scope has no say. */
export function createJudge(workspace: string, asked = request): JudgeCommand {
  const studyOf = createStudies();
  const deps = {
    surroundingsOf: createSurroundings,
    isConfined: async () => Promise.resolve(false),
    isRestorable: async () => Promise.resolve(false),
  };
  return async (command) => {
    const calls = [{tool: 'run_command', args: {command}}];
    const proposal = proposalOf({calls, workspace, request: asked}, {hash: command});
    return judge(proposal, await studyOf(proposal, deps));
  };
}
