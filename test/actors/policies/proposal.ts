/** Proposals for the tests of the policy reviewers. */

import type {Proposal, ProposalFacts} from '../../../machines/domain/review.ts';

export function proposalOf(
  facts: Partial<ProposalFacts>,
  rest: Partial<Omit<Proposal, 'facts'>> = {},
): Proposal {
  return {
    kind: 'action',
    title: 'a proposal',
    hash: 'hash',
    text: '',
    ...rest,
    facts: {
      request: 'Fix the failing test',
      workspace: '/home/dev/project',
      calls: [],
      evidence: [],
      claims: [],
      ...facts,
    },
  };
}

export function commandProposal(command: string, request?: string): Proposal {
  return proposalOf({
    calls: [{tool: 'run_command', args: {command}}],
    ...(request === undefined ? {} : {request}),
  });
}
