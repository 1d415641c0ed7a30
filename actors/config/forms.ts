/** The configuration of each form, one row per form: its models, its warnings, and its texts for rule-based work. */

import {type InteractionForm, interactionForms} from '../../machines/domain/interaction-form.ts';
import type {Seat} from '../../machines/domain/review.ts';
import type {Settings} from '../../machines/domain/settings.ts';
import {type DiscussRoles, keysForDiscuss} from './discuss.ts';
import {gaveWayLines} from './gave-way.ts';
import {type InterviewRoles, keysForInterview} from './interview.ts';
import {offlineSentences, type OfflineWords} from './offline-lines.ts';
import {offlineModel, type Roles} from './roles.ts';
import type {Config} from './schema.ts';

/** The models that fill the roles, the panel, the discussion and the interview. */
export interface Filled {
  readonly roles: Roles;
  readonly panel: readonly Seat[];
  readonly discuss: DiscussRoles;
  readonly interview: InterviewRoles;
}

export type ResolvedSettings = Omit<Settings, 'tools'> & Required<Pick<Settings, 'interview'>>;

/** The models of the roles, by configuration key. */
export type RoleModels = Readonly<Record<string, string | readonly string[]>>;

export interface FormConfig {
  /** The panel votes: rule and vetoes apply. */
  readonly hasPanel?: true;
  /** The form makes a plan: strategy and consensus level apply. */
  readonly plans?: true;
  /** Its result reports that models were configured for the panel but only policies have seats. */
  readonly reportsLack?: true;
  /** It reads the results of interactions that rules spawn, so their models are called too. */
  readonly readsSpawned?: true;
  /** The configuration keys of the models that it calls. */
  readonly keys: (config: Config) => readonly string[];
  readonly models: (filled: Filled, config: Config) => readonly string[];
  /** Warnings about replaced models in the roles of the form. */
  readonly warnings: (filled: Filled, isFast: boolean) => readonly string[];
  /** True if only the offline model works in it. Absent: true if no other model can be used at all. */
  readonly isOffline?: (filled: Filled) => boolean;
  /** True if rules do the main work of the form. Absent: same as `isOffline`. */
  readonly isByRule?: (filled: Filled) => boolean;
  /** Absent: the form calls no model. */
  readonly offline?: OfflineWords;
  /** Absent: the form has no role of its own. */
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

/** True if only the offline model works in a run of the form. */
export function isOfflineIn(form: InteractionForm, filled: Filled): boolean {
  return rows[form].isOffline?.(filled) ?? filled.roles.offline;
}

/** True if rules do the main work of the form. */
export function isByRuleIn(form: InteractionForm, filled: Filled): boolean {
  return rows[form].isByRule?.(filled) ?? isOfflineIn(form, filled);
}

/** The configuration keys of models that a run of this form does not call. */
export function foreignKeys(form: InteractionForm, config: Config): ReadonlySet<string> {
  const kept = formsIn(form, config).flatMap((each) => rows[each].keys(config));
  const all = interactionForms.flatMap((each) => rows[each].keys(config));
  return new Set(all).difference(new Set(kept));
}

/** The models that the form, and the interactions that rules spawn below it, may call, without duplicates. */
export function modelsIn(form: InteractionForm, filled: Filled, config: Config): string[] {
  const called = formsIn(form, config).flatMap((each) => rows[each].models(filled, config));
  return [...new Set(called)];
}

/** The form of a run and, if it reads the results of spawned interactions, the forms that rules may spawn. */
function formsIn(form: InteractionForm, {spawn}: Config): readonly InteractionForm[] {
  return rows[form].readsSpawned ? [form, ...spawn.map((rule) => rule.form)] : [form];
}

/** The keys that name the model, in a run of the form or, if it has none, in an interaction below it. */
export function keysOfModel(model: string, form: InteractionForm, settings: Settings): string[] {
  const {interview} = settings;
  if (!interview) return [];
  const keysIn = (each: InteractionForm): string[] =>
    Object.entries(rows[each].roleModels?.({...settings, interview}) ?? {}).flatMap(
      ([key, models]) => ([models].flat().includes(model) ? [key] : []),
    );
  const own = keysIn(form);
  return own.length > 0 ? own : [...new Set(interactionForms.flatMap(keysIn))];
}

function seated(seats: readonly {readonly model: string}[]): readonly string[] {
  return seats.map(({model}) => model);
}
