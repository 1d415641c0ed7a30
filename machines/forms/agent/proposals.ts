/** What an agent puts to a panel or to a person. */

import {hashOf} from '../../domain/digest.ts';
import type {HumanQuestion} from '../../domain/human.ts';
import {type Plan, planHash, planToData} from '../../domain/plan.ts';
import {type Proposal, type ReviewRound, vetoText} from '../../domain/review.ts';
import {proposedCall} from '../../loop/action.ts';
import type {QuorumInput} from '../../panel/round.ts';
import {type AgentState, planOf} from './agent-state.ts';

export function planProposal(state: AgentState, plan: Plan): Proposal {
  const {request, workspace, evidence, earlier} = state;
  return {
    kind: 'plan',
    title: plan.objective,
    hash: planHash(plan),
    text: JSON.stringify(planToData(plan), undefined, 2),
    facts: {
      request,
      workspace,
      evidence: [...evidence, ...earlier.flatMap((result) => result.evidence)],
      calls: plan.tasks.flatMap(({tool, args = {}}) =>
        tool === undefined ? [] : [proposedCall({tool, args}, state.settings.tools)],
      ),
      claims: [plan.objective, plan.reasoning],
    },
  };
}

export function resultProposal(state: AgentState): Proposal {
  const {request, workspace, plan, evaluation, earlier, results: done} = state;
  const results = [...earlier, ...done];
  const summary = `${plan?.objective ?? request}\n${evaluation?.feedback ?? ''}`;
  return {
    kind: 'result',
    title: plan?.objective ?? request,
    hash: hashOf(results),
    text: results
      .map(
        ({id, status, description, output}) => `Task ${id} (${status}): ${description}\n${output}`,
      )
      .join('\n\n'),
    facts: {
      request,
      workspace,
      evidence: results.flatMap(({evidence}) => evidence),
      calls: [],
      claims: [summary],
      results: results.map(({id, status, output}) => ({
        task: id,
        succeeded: status === 'succeeded',
        text: output,
        isReport:
          status === 'succeeded' && plan?.tasks.find((task) => task.id === id)?.args === undefined,
      })),
    },
  };
}

export function planQuestion(state: AgentState): HumanQuestion {
  const {settings, rounds} = state;
  const limit = settings.agent.maxPlanRevisions;
  const last = rounds.at(-1);
  const reason =
    last?.verdict === 'noQuorum'
      ? 'Too few reviewers voted on this plan.'
      : `Revision limit (${limit}) exceeded. ${againstText(last)}`;
  return gateQuestion(state, {kind: 'plan', reason, allowed: ['approve', 'reject', 'edit']});
}

function againstText(round: ReviewRound | undefined): string {
  const veto = vetoText(round);
  return veto === undefined ? 'Quorum could not reach consensus.' : `The plan was ${veto}.`;
}

export function confirmationQuestion(state: AgentState): HumanQuestion {
  return gateQuestion(state, {
    kind: 'confirmation',
    reason: 'The panel approved this plan; confirm_execution asks before it runs.',
    allowed: ['approve', 'reject', 'edit'],
  });
}

export function resultQuestion(state: AgentState): HumanQuestion {
  const {text, hash} = resultProposal(state);
  const question = gateQuestion(state, {
    kind: 'result',
    reason: 'Too few reviewers voted on the result.',
    allowed: ['approve', 'reject'],
  });
  return {...question, preview: text, proposalHash: hash};
}

function gateQuestion(
  {request, plan, rounds}: AgentState,
  question: Pick<HumanQuestion, 'kind' | 'reason' | 'allowed'>,
): HumanQuestion {
  return {
    ...question,
    request,
    ...(plan ? {plan} : {}),
    proposalHash: plan ? planHash(plan) : '',
    history: rounds,
  };
}

export function planReviewInput(state: AgentState): QuorumInput {
  return quorumInput(state, planProposal(state, planOf(state)), state.rounds);
}

export function resultReviewInput(state: AgentState): QuorumInput {
  return quorumInput(state, resultProposal(state), []);
}

function quorumInput(
  {settings, background}: AgentState,
  proposal: Proposal,
  history: readonly ReviewRound[],
): QuorumInput {
  return {
    round: history.length + 1,
    proposal,
    seats: settings.panel,
    settings: settings.quorum,
    maxOutputTokens: settings.maxOutputTokens,
    background,
    history,
  };
}
