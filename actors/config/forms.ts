/** The configuration of each form, one row per form: its models, its warnings, and its texts for rule-based work. */

import {type InteractionForm, interactionForms} from '../../machines/domain/interaction-form.ts';
import type {Seat} from '../../machines/domain/review.ts';
import type {Participant, Settings} from '../../machines/domain/settings.ts';
import {
  type Models,
  offlineModel,
  type Replaced,
  replacedLines,
  type RoleContext,
} from './roles.ts';
import type {Config} from './schema.ts';

/** The models that fill the roles, and the panel. */
export interface Filled {
  readonly models: Models;
  readonly panel: readonly Seat[];
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
  /** The roles of the form: their replaced models are reported. */
  readonly roles?: (config: Config) => readonly Replaced['role'][];
  /** True if only the offline model works in it. Absent: true if no other model can be used at all. */
  readonly isOffline?: (filled: Filled, config: Config) => boolean;
  /** True if rules do the main work of the form. Absent: same as `isOffline`. */
  readonly isByRule?: (filled: Filled) => boolean;
  /** Absent: the form calls no model. */
  readonly offline?: OfflineWords;
  /** Absent: the form has no role of its own. */
  readonly roleModels?: (settings: ResolvedSettings) => RoleModels;
}

// The first warning of a run in which rules do the work.

const offline = 'using the built-in offline model (rules only).';

/** The sentences of these warnings. Programs match them; a screen shows them in its language. */
export const offlineSentences = {
  notConfigured: `No model is configured: ${offline}`,
  asConfigured: `As configured: ${offline}`,
  byReviewers: 'No model has a seat: the policy reviewers judge the diff by rule.',
  byForm:
    'It asks for each field in the words of the form and checks answers by their type and criteria.',
  setKey: 'Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or use -m.',
} as const;

const rows: Readonly<Record<InteractionForm, FormConfig>> = {
  agent: {
    hasPanel: true,
    plans: true,
    readsSpawned: true,
    keys: () => ['agent.decision_model', 'agent.exploration_model', 'agent.review_models'],
    models: ({models, panel}, {agent}) => [
      models.decision,
      models.exploration,
      ...seated(panel),
      ...(agent.strategy === 'debate' ? [models.moderator] : []),
    ],
    roles: ({agent}) => (isFast(agent) ? [] : ['decision', 'exploration', 'review']),
    isByRule: ({models}) => [models.decision, models.exploration].includes(offlineModel),
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
    models: ({models}) => [models.ask],
    roles: () => ['ask'],
    isByRule: ({models}) => models.ask === offlineModel,
    offline: {key: 'ask.model'},
    roleModels: ({ask}) => ({'ask.model': ask.model}),
  },
  discuss: {
    keys: ({discuss, debate}) => [
      discuss.participants.length > 0 ? 'discuss.participants' : 'agent.review_models',
      ...(debate.models.length > 0 ? ['debate.models'] : []),
      discuss.moderator === '' ? 'agent.decision_model' : 'discuss.moderator',
    ],
    models: ({models}, config) => [
      ...seated(speakersOf(models, config)),
      ...seated(models.participants),
      models.moderator,
    ],
    roles: () => ['discuss'],
    isOffline: ({models}, config) =>
      speakersOf(models, config).every(({model}) => model === offlineModel),
    offline: {key: 'discuss.participants'},
    roleModels: ({discuss}) => ({
      'discuss.participants': seated(discuss.participants),
      'discuss.moderator': discuss.moderator.model,
    }),
  },
  interview: {
    keys: interviewKeys,
    models: ({models}) => [models.lead, models.judge],
    roles: ({interview}) => (interview.model === '' ? ['decision'] : []),
    isOffline: ({models}) => models.lead === offlineModel,
    offline: {
      key: 'interview.model',
      namedBy: interviewKeys,
      ability: offlineSentences.byForm,
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
    roles: ({agent}) => (isFast(agent) ? [] : ['review']),
    offline: {key: 'agent.review_models', line: offlineSentences.byReviewers},
  },
  command: {keys: () => [], models: () => []},
};

export function formConfig(form: InteractionForm): FormConfig {
  return rows[form];
}

/** The keys from which the models of an interview are read. */
function interviewKeys({interview: {model, reviewer}}: Config): readonly string[] {
  return [
    model === '' ? 'agent.decision_model' : 'interview.model',
    ...(reviewer === '' ? [] : ['interview.reviewer']),
  ];
}

function isFast({phase_scope: scope}: Config['agent']): boolean {
  return scope === 'fast';
}

/** The voices of a discussion: of its debate, if that is its strategy. */
function speakersOf({sides, participants}: Models, {discuss}: Config): readonly Participant[] {
  return discuss.strategy === 'debate' ? [sides.proponent, sides.opponent] : participants;
}

const alone =
  'there is only one participant; name several with -m participants=a,b,c, or discuss.participants';

/** Warnings about models that the form would call, and that were replaced. */
export function replacedIn(form: InteractionForm, filled: Filled, config: Config): string[] {
  const roles = rows[form].roles?.(config) ?? [];
  const {models} = filled;
  const isQuiet = form === 'discuss' && isOfflineIn(form, filled, config);
  const own = isQuiet ? [] : models.replaced.filter(({role}) => roles.includes(role));
  const isAlone = form === 'discuss' && speakersOf(models, config).length === 1;
  return [...replacedLines(own), ...(isAlone ? [alone] : [])];
}

/** True if only the offline model works in a run of the form. */
export function isOfflineIn(form: InteractionForm, filled: Filled, config: Config): boolean {
  return rows[form].isOffline?.(filled, config) ?? filled.models.offline;
}

/** True if rules do the main work of the form. */
export function isByRuleIn(form: InteractionForm, filled: Filled, config: Config): boolean {
  return rows[form].isByRule?.(filled) ?? isOfflineIn(form, filled, config);
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

/** The texts by which a form reports that rules do its work. */
interface OfflineWords {
  /** The configuration key of the model that does its work. */
  readonly key: string;
  /** Every key that can name that model. Absent: `key` alone. */
  readonly namedBy?: (config: Config) => readonly string[];
  /** A sentence on the abilities of the offline model in this form. */
  readonly ability?: string;
  /** Replaces the sentence on the offline model. */
  readonly line?: string;
}

/** One line. It explains how to configure a model, unless the user named the offline model. */
export function offlineLine(
  {key, namedBy, ability, line}: OfflineWords,
  config: Config,
  {named, userFile}: RoleContext,
): string {
  const {notConfigured, asConfigured, setKey} = offlineSentences;
  const keys = namedBy?.(config) ?? [key];
  const isNamed = keys.some((each) => named.has(each));
  const remedy =
    userFile === undefined ? setKey.replace('use -m', `name a model in ${key}`) : setKey;
  const first = line ?? (isNamed ? asConfigured : notConfigured);
  return [first, ability, isNamed ? undefined : remedy]
    .filter((sentence) => sentence !== undefined)
    .join(' ');
}

/** True if a warning is such a line. */
export function isOfflineLine(message: string): boolean {
  return message.includes(offline) || message.startsWith(offlineSentences.byReviewers);
}
