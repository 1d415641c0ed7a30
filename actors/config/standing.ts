/** The configuration that a run is in now, as far as a change of one key depends on others. */

import type {InterviewSettings, Participant, Settings} from '../../machines/domain/settings.ts';
import {isPolicy} from './panel.ts';
import type {RoleContext} from './roles.ts';
import type {ConfigInput} from './schema.ts';

type Router = RoleContext['router'];

/**
 * What the run was opened with and has been told since stands in the place of what the runtime was made with: a rule is
 * checked against the panel that sits, a strategy against the level that holds. Models that can't be called any more are
 * left out, as they may be those that are to be replaced.
 */
export function asStands(
  {agent, quorum, ask, discuss, debate, interview, panel}: Settings,
  given: ConfigInput,
  {router}: {readonly router: Router},
): ConfigInput {
  const {explorationModel, decisionModel} = agent;
  const models = panel.map(({model}) => model);
  const isSeated = models.length > 0 && models.every((model) => isAtHand(model, router));
  const isReseated = given.agent?.review_models !== undefined;
  return {
    agent: {
      consensus_level: agent.consensusLevel,
      strategy: agent.strategy,
      phase_scope: agent.phaseScope,
      ...(isAtHand(explorationModel, router) ? {exploration_model: explorationModel} : {}),
      ...(isAtHand(decisionModel, router) ? {decision_model: decisionModel} : {}),
      ...(isSeated ? {review_models: models} : {}),
    },
    quorum: {
      rule: quorum.rule,
      min_participation: quorum.minParticipation,
      ...(isSeated && !isReseated ? voicesOf(panel) : {}),
    },
    ask: isAtHand(ask.model, router) ? {model: ask.model} : {},
    ...sidesOf({discuss, debate}, router),
    ...(interview ? {interview: leadersOf(interview, decisionModel, router)} : {}),
  };
}

/** Each section with what `over` has of it in place of its own. */
export function merged(config: ConfigInput, over: ConfigInput): ConfigInput {
  const sections = Object.entries(over).map(([section, keys]) => {
    const before: object = Object.entries(config).find(([name]) => name === section)?.[1] ?? {};
    return [section, Array.isArray(keys) ? keys : {...before, ...keys}];
  });
  return {...config, ...Object.fromEntries(sections)};
}

/** Weights and vetoes by the seats that have them. */
function voicesOf(panel: Settings['panel']): NonNullable<ConfigInput['quorum']> {
  const weighted = panel.filter(({weight}) => weight !== 1);
  return {
    weights: Object.fromEntries(weighted.map(({id, weight}) => [id, weight])),
    veto: panel.filter(({veto}) => veto).map(({id}) => id),
  };
}

/** Runs of earlier versions hold no discussion, and no debate. A debate between the first two participants stays one. */
function sidesOf(
  {discuss, debate}: Partial<Pick<Settings, 'discuss' | 'debate'>>,
  router: Router,
): ConfigInput {
  if (!discuss || !debate) return {};
  const {participants} = discuss;
  const [first, second = first] = participants;
  const sides = [debate.proponent, debate.opponent];
  const isOwn = debate.proponent.id !== first?.id || debate.opponent.id !== second?.id;
  const models = modelsOf(isOwn ? sides : []);
  return {
    discuss: {participants: modelsOf(participants).filter((model) => isAtHand(model, router))},
    debate: {models: models.filter((model) => isAtHand(model, router))},
  };
}

/** Whoever leads it follows the decision model, and the reviewer whoever leads it, where they are the same. */
function leadersOf(
  {model, reviewer}: InterviewSettings,
  decision: string,
  router: Router,
): NonNullable<ConfigInput['interview']> {
  return {
    ...(model === decision ? {model: ''} : isAtHand(model, router) ? {model} : {}),
    ...(reviewer === model ? {reviewer: ''} : isAtHand(reviewer, router) ? {reviewer} : {}),
  };
}

function modelsOf(participants: readonly Participant[]): string[] {
  return participants.map(({model}) => model);
}

function isAtHand(model: string, router: Router): boolean {
  return isPolicy(model) || router.check(model).ok;
}
