/** The configuration of each form, a row each: its models, its warnings, and its words where rules do the work. */

import {type InteractionForm, interactionForms} from '../../machines/domain/interaction-form.ts';
import type {Seat} from '../../machines/domain/review.ts';
import type {Settings} from '../../machines/domain/settings.ts';
import {type DiscussRoles, keysForDiscuss} from './discuss.ts';
import {gaveWayLines} from './gave-way.ts';
import {type InterviewRoles, keysForInterview} from './interview.ts';
import {offlineSentences, type OfflineWords} from './offline-lines.ts';
import {offlineModel, type Roles} from './roles.ts';
import type {Config} from './schema.ts';

/** Who works in which form. */
export interface Filled {
  readonly roles: Roles;
  readonly panel: readonly Seat[];
  readonly discuss: DiscussRoles;
  readonly interview: InterviewRoles;
}

export type ResolvedSettings = Omit<Settings, 'tools'> & Required<Pick<Settings, 'interview'>>;

/** By the key of the role. */
export type RoleModels = Readonly<Record<string, string | readonly string[]>>;

export interface FormConfig {
  /** The panel votes in it: rule and vetoes count. */
  readonly hasPanel?: true;
  /** A plan is made in it: strategy and consensus level count. */
  readonly plans?: true;
  /** Says so in its result if models were wanted on the panel and only policies have seats. */
  readonly reportsLack?: true;
  /** It reads the results of what rules spawn: their models are called. */
  readonly readsSpawned?: true;
  /** Keys of the models that it calls. */
  readonly keys: (config: Config) => readonly string[];
  readonly models: (filled: Filled, config: Config) => readonly string[];
  /** Of models that gave way in a role that it has. */
  readonly warnings: (filled: Filled, isFast: boolean) => readonly string[];
  /** No model works in it. Absent: where no model can be used at all. */
  readonly isOffline?: (filled: Filled) => boolean;
  /** Rules do the work that it is for. Absent: where it is offline. */
  readonly isByRule?: (filled: Filled) => boolean;
  /** Absent: it calls no model. */
  readonly offline?: OfflineWords;
  /** Absent: it has no role of its own. */
  readonly roleModels?: (settings: ResolvedSettings) => RoleModels;
}

const rows: Readonly<Record<InteractionForm, FormConfig>> = {
  agent: {
    hasPanel: true,
    plans: true,
    readsSpawned: true,
    keys: () => ['agent.decision_model', 'agent.exploration_model', 'agent.review_models'],
    models: ({roles, panel, discuss}, {agent}) => [
      roles.decision,
      roles.exploration,
      ...seated(panel),
      ...(agent.strategy === 'debate' ? [discuss.settings.discuss.moderator.model] : []),
    ],
    warnings: ({roles: {warnings}}, isFast) =>
      isFast
        ? []
        : gaveWayLines([...warnings.decision, ...warnings.exploration, ...warnings.review]),
    isByRule: ({roles}) => [roles.decision, roles.exploration].includes(offlineModel),
    offline: {key: 'agent.decision_model'},
    roleModels: ({agent, panel}) => ({
      'agent.exploration_model': agent.explorationModel,
      'agent.decision_model': agent.decisionModel,
      'agent.review_models': seated(panel),
    }),
  },
  ask: {
    readsSpawned: true,
    keys: () => ['ask.model'],
    models: ({roles}) => [roles.ask],
    warnings: ({roles}) => gaveWayLines(roles.warnings.ask),
    isByRule: ({roles}) => roles.ask === offlineModel,
    offline: {key: 'ask.model'},
    roleModels: ({ask}) => ({'ask.model': ask.model}),
  },
  discuss: {
    keys: keysForDiscuss,
    models: ({discuss}) => discuss.models,
    warnings: ({discuss}) => discuss.warnings,
    isOffline: ({discuss}) => discuss.isOffline,
    offline: {key: 'discuss.participants'},
    roleModels: ({discuss}) => ({
      'discuss.participants': seated(discuss.participants),
      'discuss.moderator': discuss.moderator.model,
    }),
  },
  interview: {
    keys: keysForInterview,
    models: ({interview}) => interview.models,
    warnings: ({interview}) => interview.warnings,
    isOffline: ({interview}) => interview.isOffline,
    offline: {
      key: 'interview.model',
      namedBy: keysForInterview,
      ability: offlineSentences.byForm.en,
    },
    roleModels: ({interview}) => ({
      'interview.model': interview.model,
      'interview.reviewer': interview.reviewer,
    }),
  },
  review: {
    hasPanel: true,
    reportsLack: true,
    keys: () => ['agent.review_models'],
    models: ({panel}) => seated(panel),
    warnings: ({roles}, isFast) => (isFast ? [] : gaveWayLines(roles.warnings.review)),
    offline: {key: 'agent.review_models', line: offlineSentences.byReviewers.en},
  },
  command: {keys: () => [], models: () => [], warnings: () => []},
};

export function formConfig(form: InteractionForm): FormConfig {
  return rows[form];
}

/** Whether no model works in it. */
export function isOfflineIn(form: InteractionForm, filled: Filled): boolean {
  return rows[form].isOffline?.(filled) ?? filled.roles.offline;
}

/** Whether rules do the work that the form is for. */
export function isByRuleIn(form: InteractionForm, filled: Filled): boolean {
  return rows[form].isByRule?.(filled) ?? isOfflineIn(form, filled);
}

/** Keys of models that a run of this form does not call. */
export function foreignKeys(form: InteractionForm, config: Config): ReadonlySet<string> {
  const kept = formsIn(form, config).flatMap((each) => rows[each].keys(config));
  const all = interactionForms.flatMap((each) => rows[each].keys(config));
  return new Set(all).difference(new Set(kept));
}

/** Those that the form may call, and what rules spawn below it, once each. */
export function modelsIn(form: InteractionForm, filled: Filled, config: Config): string[] {
  const called = formsIn(form, config).flatMap((each) => rows[each].models(filled, config));
  return [...new Set(called)];
}

/** The form of a run, and those that rules may spawn in it and whose results are read. */
function formsIn(form: InteractionForm, {spawn}: Config): readonly InteractionForm[] {
  return rows[form].readsSpawned ? [form, ...spawn.map((rule) => rule.form)] : [form];
}

function seated(seats: readonly {readonly model: string}[]): readonly string[] {
  return seats.map(({model}) => model);
}
