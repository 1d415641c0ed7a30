/** The current configuration of a run, limited to keys that the check of a changed key depends on. */

import type {InterviewSettings, Participant, Settings} from '../../machines/domain/settings.ts';
import {isPolicy} from './panel.ts';
import type {RoleContext} from './roles.ts';
import type {ConfigInput} from './schema.ts';

type Router = RoleContext['router'];

/**
 * Returns the current settings of the run as configuration. They override the configuration of the runtime: a rule is checked
 * against the current panel, a strategy against the current consensus level. Models that can no longer be called are left out,
 * because the change may replace them.
 */
export function currentConfig(
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

/** Returns `config` with the keys of `over` in place of its own, section by section. */
export function merged(config: ConfigInput, over: ConfigInput): ConfigInput {
  const sections = Object.entries(over).map(([section, keys]) => {
    const before: object = Object.entries(config).find(([name]) => name === section)?.[1] ?? {};
    return [section, Array.isArray(keys) ? keys : {...before, ...keys}];
  });
  return {...config, ...Object.fromEntries(sections)};
}

/** The weights and vetoes of the seats. */
function voicesOf(panel: Settings['panel']): NonNullable<ConfigInput['quorum']> {
  const weighted = panel.filter(({weight}) => weight !== 1);
  return {
    weights: Object.fromEntries(weighted.map(({id, weight}) => [id, weight])),
    veto: panel.filter(({veto}) => veto).map(({id}) => id),
  };
}

/**
 * Runs of earlier versions have no settings of a discussion or a debate. If the sides of the debate are the first two
 * participants, `debate.models` stays empty, so that they continue to follow the participants.
 */
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

/** A leading model equal to the decision model continues to follow it; so does a reviewer equal to the leading model. */
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
