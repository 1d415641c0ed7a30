/** Proposals for the tests of the policy reviewers, with the facts of the real tools. */

import {type Evidence, evidenceOf} from '../../../machines/domain/evidence.ts';
import type {JsonObject} from '../../../machines/domain/json.ts';
import type {Proposal, ProposalFacts} from '../../../machines/domain/review.ts';
import type {ToolInfo} from '../../../machines/domain/tool.ts';
import {proposedCall} from '../../../machines/loop/action.ts';
import {builtInTools, createToolbox, createWebFetch, spawnTools} from '../../../tools/index.ts';

export const builtIn = createToolbox([
  ...builtInTools('off'),
  createWebFetch(),
  ...spawnTools,
]).infos();

/** The evidence of a call that succeeded or failed. */
export function did(
  tool: string,
  args: JsonObject,
  status: 'succeeded' | 'failed' = 'succeeded',
  exitCode?: number,
): readonly Evidence[] {
  const code = exitCode === undefined ? {} : {exitCode};
  return evidenceOf([{tool, args, status, text: '', ...code}], builtIn);
}

export function proposalOf(
  facts: Partial<ProposalFacts>,
  rest: Partial<Omit<Proposal, 'facts'>> = {},
  tools: readonly ToolInfo[] = builtIn,
): Proposal {
  const calls = (facts.calls ?? []).map((call) => proposedCall(call, tools));
  return {
    kind: 'action',
    title: 'a proposal',
    hash: 'hash',
    text: '',
    ...rest,
    facts: {
      request: 'Fix the failing test',
      workspace: '/home/dev/project',
      evidence: [],
      claims: [],
      ...facts,
      calls,
    },
  };
}

export function commandProposal(command: string, request?: string): Proposal {
  return proposalOf({
    calls: [{tool: 'run_command', args: {command}}],
    ...(request === undefined ? {} : {request}),
  });
}
