/** Assigns models to roles, seats and sides, according to the API keys that are available. */

import {AppError} from '../../machines/domain/app-error.ts';
import {didYouMean} from '../../machines/domain/nearest.ts';
import type {Seat} from '../../machines/domain/review.ts';
import type {DebateSettings, Participant} from '../../machines/domain/settings.ts';
import {type Message, t} from '../../machines/message.ts';
import {
  approvalsNeeded,
  isReachable,
  ruleHelp,
  ruleText,
  tryParseRule,
} from '../../machines/panel/rule.ts';
import type {Router} from '../model/router.ts';
import type {Config} from './schema.ts';

export const offlineModel = 'offline/offline';

/** The points of view of the rule-based model, one per seat. */
const offlineViews = ['benefits', 'risks', 'cost', 'evidence'] as const;

type Role = 'decision' | 'exploration' | 'ask' | 'moderator' | 'lead' | 'judge';

/** The models of a run, as `provider/model`. */
export interface Models extends Readonly<Record<Role, string>> {
  /** The panel: each seat is a model or `policy/name`. */
  readonly review: readonly string[];
  /** The panel as configured, before models without a key were replaced. */
  readonly configured: readonly string[];
  /** Of a discussion. */
  readonly participants: readonly Participant[];
  /** Of a debate: proponent and opponent. */
  readonly sides: Pick<DebateSettings, 'proponent' | 'opponent'>;
  /** True if no other model than the offline model can be used. */
  readonly offline: boolean;
  readonly replaced: readonly Replaced[];
}

/** A model that can't be used. */
export interface Replaced {
  /** `review`: on the panel; `discuss`: in a discussion. */
  readonly role: Role | 'review' | 'discuss';
  /** Why it can't be used. */
  readonly reason: string;
  /** The replacement, such as `local/qwen3 takes the exploration role`. */
  readonly effect: string;
  /** The environment variable of the missing key, if a key is missing. */
  readonly apiKeyEnv: string | undefined;
}

interface RoleRow {
  readonly key: string;
  /** Empty: the fallback has the role. */
  readonly name: (config: Config) => string;
  /** The role whose model replaces one that is not named or can't be used. Absent: the first usable model. */
  readonly fallback?: Role;
}

/** Of one model each; `lead` and `judge` of an interview. */
const rows: Readonly<Record<Role, RoleRow>> = {
  decision: {key: 'agent.decision_model', name: (config) => config.agent.decision_model},
  exploration: {
    key: 'agent.exploration_model',
    name: (config) => config.agent.exploration_model,
    fallback: 'decision',
  },
  ask: {key: 'ask.model', name: (config) => config.ask.model, fallback: 'decision'},
  moderator: {
    key: 'discuss.moderator',
    name: (config) => config.discuss.moderator,
    fallback: 'decision',
  },
  lead: {key: 'interview.model', name: (config) => config.interview.model, fallback: 'decision'},
  judge: {key: 'interview.reviewer', name: (config) => config.interview.reviewer, fallback: 'lead'},
};

/** The keys that the user set. A map also has their source, for messages: `quorate.toml:12:3`, `-m gpt-5.2`. */
export type NamedKeys = ReadonlySet<string> | ReadonlyMap<string, string>;

export interface RoleContext {
  readonly router: Router;
  /** The dotted keys that the user set, from any source: `agent.review_models`. */
  readonly named: NamedKeys;
  /** The user's configuration file, for a program with a command line. Absent: the program has no command line. */
  readonly userFile?: string | undefined;
  /** Additional policy reviewers, by name without `policy/`. */
  readonly policies?: readonly string[];
}

/**
 * Throws AppError `credentials` for a model that the user named and whose key is missing, `config` for a model that no
 * provider has. A default without a key is replaced: in a role by its fallback, on the panel by a policy reviewer, and by
 * the offline model if no model can be used; in a discussion its seat is left out.
 */
export function resolveModels(config: Config, context: RoleContext): Models {
  const reviewers = config.agent.review_models.flatMap((name) =>
    name === allPolicies ? policySeats : [name],
  );
  const review = reviewers.map((name) => usable('agent.review_models', name, context));
  const configured = reviewers.map((name) => canonical(name, context));
  const found = (role: Role): string | undefined => {
    const name = rows[role].name(config);
    return name === '' ? undefined : usable(rows[role].key, name, context);
  };
  const all = [found('decision'), found('exploration'), ...review];
  const first = all.find((model) => model && !isPolicy(model) && model !== offlineModel);
  const filled = (role: Role): string => {
    const {fallback} = rows[role];
    return found(role) ?? (fallback ? filled(fallback) : (first ?? offlineModel));
  };
  const decision = filled('decision');
  const unfilled = (['decision', 'exploration', 'ask'] as const).filter(
    (role) => decision !== offlineModel && found(role) === undefined,
  );
  const offline = first === undefined;
  const panel = seatPolicies({configured, review, offline, context});
  const discuss = seatParticipants(config, decision, context);
  const {participants} = discuss;
  const [speaker = {model: decision}] = participants;
  return {
    decision,
    exploration: filled('exploration'),
    ask: filled('ask'),
    moderator:
      decision === offlineModel ? (found('moderator') ?? speaker.model) : filled('moderator'),
    lead: filled('lead'),
    judge: filled('judge'),
    review: panel.review,
    configured,
    participants,
    sides: sidesOf(config, participants, context),
    offline,
    replaced: [
      ...unfilled.map((role) =>
        replaced(rows[role].name(config), role, `${decision} takes the ${role} role`, context),
      ),
      ...panel.replaced,
      ...discuss.replaced,
    ],
  };
}

function replaced(
  name: string,
  role: Replaced['role'],
  effect: string,
  {router}: RoleContext,
): Replaced {
  const check = router.check(name);
  return check.ok
    ? {role, reason: `${name} reviews by rule only`, effect, apiKeyEnv: undefined}
    : {role, reason: check.message, effect, apiKeyEnv: check.apiKeyEnv};
}

/** One line for all models without a key (if there are several), and one line for each other model. */
export function replacedLines(all: readonly Replaced[]): string[] {
  const keyless = all.filter(({apiKeyEnv}) => apiKeyEnv !== undefined);
  if (keyless.length < 2) return all.map(({reason, effect}) => `${reason}; ${effect}`);
  const variables = new Set(keyless.map(({apiKeyEnv}) => apiKeyEnv));
  const effects = keyless.map(({effect}) => effect).join(', ');
  return [
    `${keyless.length} default models have no key (${[...variables].join(', ')}): ${effects}`,
    ...replacedLines(all.filter((one) => !keyless.includes(one))),
  ];
}

/**
 * The participants of a discussion are the named ones, otherwise the usable models of the panel; if there are none, the decision
 * model, which speaks from several points of view if it is rule-based.
 */
function seatParticipants(
  {discuss, agent}: Config,
  decision: string,
  context: RoleContext,
): {readonly participants: Participant[]; readonly replaced: readonly Replaced[]} {
  const [key, seated] =
    discuss.participants.length > 0
      ? ['discuss.participants', discuss.participants]
      : ['agent.review_models', agent.review_models.filter((name) => !isPolicy(name))];
  const seats = seated.map((name) => ({name, model: usable(key, name, context)}));
  const models = seats.flatMap(({model}) => model ?? []);
  const left = seats.filter(({model}) => model === undefined);
  return {
    participants: participantsOf(models.length > 0 ? models : [decision]),
    replaced: left.map(({name}) =>
      replaced(name, 'discuss', `the seat of ${name} is left out`, context),
    ),
  };
}

/** The named models, otherwise the first two participants. A single model speaks on both sides. */
function sidesOf(
  {debate}: Config,
  participants: readonly Participant[],
  context: RoleContext,
): Models['sides'] {
  const named = debate.models.flatMap((name) => usable('debate.models', name, context) ?? []);
  const sides = named.length > 0 ? participantsOf(named) : participants;
  const [proponent = {id: 'offline', model: offlineModel}, opponent = proponent] = sides;
  return {proponent, opponent};
}

/** The rule-based model has no opinion of its own: each of its seats has a different point of view. */
function participantsOf(models: readonly string[]): Participant[] {
  if (models.every((model) => model === offlineModel)) {
    return offlineViews.map((view) => ({id: `offline/${view}`, model: offlineModel, view}));
  }
  const views: string[] = [...offlineViews];
  return nameSeats(models).map((seat): Participant => {
    const view = seat.model === offlineModel ? views.shift() : undefined;
    return view === undefined ? seat : Object.assign(seat, {view});
  });
}

/** Returns the full name: policy reviewers keep theirs, the router resolves all others. Throws AppError `config`. */
export function canonical(
  name: string,
  {router, policies = []}: Pick<RoleContext, 'router' | 'policies'>,
): string {
  if (!isPolicy(name)) return router.canonical(name);
  const seats = [...policySeats, ...policies.map((own) => `policy/${own}`)];
  if (seats.includes(name)) return name;
  throw new AppError(
    'config',
    t`there is no policy reviewer "${name}", only ${seats.join(', ')}${didYouMean(name, seats)}`,
  );
}

/** Returns `provider/model` if the model can be used, otherwise undefined. Throws instead if the user named it in `key`. */
export function usable(key: string, name: string, context: RoleContext): string | undefined {
  const {router, named} = context;
  if (isPolicy(name)) return usablePolicy(key, canonical(name, context));
  const check = router.check(name);
  if (check.ok) return router.canonical(name);
  if (!named.has(key)) return undefined;
  const code = check.code === 'missing_key' ? 'credentials' : 'config';
  throw new AppError(code, `${placeOf(key, context)}: ${check.message}`);
}

/** The source of a key for messages: the flag alone, or the position in the file and the key. */
export function placeOf(key: string, {named}: RoleContext): string {
  const source = 'get' in named ? named.get(key) : undefined;
  if (source === undefined) return key;
  return source.startsWith('-') ? source : `${source}: ${key}`;
}

function usablePolicy(key: string, policy: string): string {
  if (key === 'agent.review_models') return policy;
  throw new AppError('config', t`${key} names ${policy}, which can only review; name a model`);
}

interface PanelInput {
  readonly configured: readonly string[];
  /** Undefined for a seat whose model cannot be used. */
  readonly review: readonly (string | undefined)[];
  readonly offline: boolean;
  readonly context: RoleContext;
}

/** Seats policy reviewers for the offline model and for models that cannot be used. With no usable model, only policies sit. */
function seatPolicies(input: PanelInput): {review: string[]; replaced: Replaced[]} {
  const {configured, review, offline, context} = input;
  if (offline && !review.every((model) => model !== undefined && isPolicy(model))) {
    return {review: [...policySeats], replaced: []};
  }
  const free = policySeats.filter((seat) => !review.includes(seat));
  const given: Replaced[] = [];
  const seats = review.flatMap((model, index) => {
    if (model !== undefined && model !== offlineModel) return [model];
    const policy = free.shift();
    const name = configured[index] ?? '';
    const effect = policy
      ? `${policy} takes the seat of ${name}`
      : `the seat of ${name} is left out`;
    given.push(replaced(name, 'review', effect, context));
    return policy ? [policy] : [];
  });
  return {review: seats, replaced: given};
}

/** Reports a panel for which models were configured but on which policies have all the seats. */
export function lackOfModels(
  {agent}: Config,
  {models, panel}: {readonly models: Models; readonly panel: readonly Seat[]},
): {readonly lacksModels?: true} {
  if (agent.phase_scope === 'fast') return {};
  const isByRule = models.configured.every((name) => isPolicy(name) || name === offlineModel);
  return !isByRule && panel.every(({kind}) => kind === 'policy') ? {lacksModels: true} : {};
}

// The seats of the panel: their models, names, weights and vetoes.

export const policySeats = ['policy/safety', 'policy/scope', 'policy/evidence'] as const;

/** The name in `quorum.veto` that means every policy reviewer. */
export const allPolicies = 'policy/*';

export function isPolicy(model: string): boolean {
  return model.startsWith('policy/');
}

/** A seat before weights: `model` is `provider/model` or `policy/name`. */
export interface Sitting {
  readonly id: string;
  readonly model: string;
}

/**
 * Names the seats: by the bare name of the model, or by `provider/model` if two models share the bare name. Further seats of
 * one model get `#2`, `#3` ….
 */
export function nameSeats(models: readonly string[]): Sitting[] {
  const modelsOfName = new Map<string, Set<string>>();
  for (const model of models) {
    const bare = bareName(model);
    modelsOfName.set(bare, (modelsOfName.get(bare) ?? new Set()).add(model));
  }
  const seen = new Map<string, number>();
  return models.map((model) => {
    const bare = bareName(model);
    const name = (modelsOfName.get(bare)?.size ?? 0) > 1 ? model : bare;
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    return {id: nth === 1 ? name : `${name}#${nth}`, model};
  });
}

/** A name with a second slash keeps its provider, so that no model can be mistaken for a policy reviewer. */
function bareName(model: string): string {
  const bare = model.slice(model.indexOf('/') + 1);
  return isPolicy(model) || bare.includes('/') ? model : bare;
}

export interface Voices {
  /** The panel of the run. */
  readonly sitting: readonly Sitting[];
  /** The panel as configured: weights and vetoes may name its seats even if other reviewers have taken them. */
  readonly configured: readonly Sitting[];
  /** Returns `provider/model` for a name that is not the id of a seat; undefined if no provider has it. */
  readonly canonical: (name: string) => string | undefined;
  /** True when the user wrote `quorum.veto`. */
  readonly vetoNamed: boolean;
}

/**
 * Assigns weights and vetoes to the seats. The id of a seat means that seat; the name of a model means all of its seats.
 * Throws AppError `config` for a name without a seat.
 */
export function toSeats(quorum: Config['quorum'], voices: Voices): Seat[] {
  for (const name of Object.keys(quorum.weights)) checkName('weights', name, voices);
  if (voices.vetoNamed) for (const name of quorum.veto) checkName('veto', name, voices);
  const weights = Object.entries(quorum.weights);
  return voices.sitting.map(({id, model}) => {
    const seat = {id, model};
    const weight =
      weights.find(([name]) => name === id) ?? weights.find(([name]) => names(name, seat, voices));
    return {
      id,
      model,
      kind: isPolicy(model) ? 'policy' : 'model',
      weight: weight?.[1] ?? 1,
      veto: quorum.veto.some((name) => names(name, seat, voices)),
    };
  });
}

/** True if the name means the seat. The id of a seat means that seat only. */
function names(name: string, seat: Sitting, voices: Voices): boolean {
  if (name === allPolicies) return isPolicy(seat.model);
  if (voices.sitting.some(({id}) => id === name)) return seat.id === name;
  return name === seat.model || voices.canonical(name) === seat.model;
}

function checkName(key: 'weights' | 'veto', name: string, voices: Voices): void {
  if (name === allPolicies && key === 'veto') return;
  const seats = [...voices.sitting, ...voices.configured];
  const fullName = voices.canonical(name);
  if (seats.some(({id, model}) => name === id || name === model || fullName === model)) return;
  const ids = [...new Set(seats.map(({id}) => id))];
  throw new AppError(
    'config',
    t`quorum.${key} names "${name}", which has no seat on the panel (${ids.join(', ')})${didYouMean(name, ids)}`,
  );
}

/** Throws AppError `config` for a rule or a minimum participation that a panel of this size cannot reach. */
export function checkRule(quorum: Config['quorum'], panel: readonly Seat[]): void {
  const rule = tryParseRule(quorum.rule);
  const seats: Message = t`the panel has ${panel.length} (${panel.map(({id}) => id).join(', ')})`;
  if (!rule) {
    throw new AppError(
      'config',
      t`quorum.rule: "${quorum.rule}" is not a quorum rule; write ${ruleHelp}`,
    );
  }
  if (!isReachable(rule, panel.length)) {
    throw new AppError(
      'config',
      t`quorum.rule: ${ruleText(rule)} needs ${approvalsNeeded(rule, panel.length)} seats, but ${seats}; lower the number or add reviewers`,
    );
  }
  if (quorum.min_participation > panel.length) {
    throw new AppError(
      'config',
      t`quorum.min_participation is ${quorum.min_participation}, but ${seats}; lower it or add reviewers`,
    );
  }
}
