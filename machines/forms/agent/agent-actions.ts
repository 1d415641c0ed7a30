/** How an agent takes in what its phases come to. */

import {assign, type ErrorActorEvent} from 'xstate';

import type {Failure} from '../../domain/failure.ts';
import type {CounselGiven} from '../../tree/counsel.ts';
import type {FormEvent} from '../../tree/form-event.ts';
import {type AgentState, withRound, withSettings} from './agent-state.ts';
import {withCheck, withDecision} from './at-gate.ts';
import {withGathering} from './background.ts';
import {withPlanning} from './drafting.ts';
import {withEvaluation} from './judgement.ts';
import {withExecution} from './plan-run.ts';

export type AgentEvent = FormEvent | ErrorActorEvent | CounselGiven;

export const agentActions = {
  takeBackground: taking(withGathering),
  takePlan: taking(withPlanning),
  takeRound: taking(withRound),
  takeDecision: taking(withDecision),
  takeCheck: taking(withCheck),
  takeExecution: taking(withExecution),
  takeEvaluation: taking(withEvaluation),
  takeFailure: taking((_, failure: Failure) => ({failure})),
  takeSettings: taking(withSettings),
  because: taking((_, reason: string) => ({reason})),
};

function taking<Params extends {}>(
  taken: (state: AgentState, params: Params) => Partial<AgentState>,
) {
  return assign<AgentState, AgentEvent, Params, AgentEvent, never>(({context}, params) =>
    taken(context, params),
  );
}
