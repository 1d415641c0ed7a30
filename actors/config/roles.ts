/** Assigns models to roles, according to the API keys that are available. */

import {AppError} from '../../machines/domain/app-error.ts';
import {didYouMean} from '../../machines/domain/nearest.ts';
import type {Seat} from '../../machines/domain/review.ts';
import type {Router} from '../model/router-api.ts';
import {gaveWay, type GaveWay} from './gave-way.ts';
import {allPolicies, isPolicy, policySeats} from './panel.ts';
import type {Config} from './schema.ts';

export const offlineModel = 'offline/offline';

export interface Roles {
  readonly exploration: string;
  readonly decision: string;
  readonly ask: string;
  /** The panel, each seat as `provider/model` or `policy/name`. */
  readonly review: readonly string[];
  /** The panel as configured, before models without a key were replaced. */
  readonly configured: readonly string[];
  readonly offline: boolean;
  /** By the role whose model was replaced; warnings about the panel are under `review`. */
  readonly warnings: Readonly<
    Record<'decision' | 'exploration' | 'ask' | 'review', readonly GaveWay[]>
  >;
}

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
 * provider has. A default without a key is replaced: in a role by a usable model, on the panel by a policy reviewer, and by
 * the offline model if no model can be used.
 */
export function resolveRoles({agent, ask: asking}: Config, context: RoleContext): Roles {
  const reviewers = agent.review_models.flatMap((name) =>
    name === allPolicies ? policySeats : [name],
  );
  const review = reviewers.map((name) => usable('agent.review_models', name, context));
  const configured = reviewers.map((name) => canonical(name, context));
  const decision = usable('agent.decision_model', agent.decision_model, context);
  const exploration = usable('agent.exploration_model', agent.exploration_model, context);
  const ask = usable('ask.model', asking.model, context);
  const all = [decision, exploration, ...review].filter((model) => model !== undefined);
  const first = all.find((model) => !isPolicy(model) && model !== offlineModel);
  const standIn = decision ?? first ?? offlineModel;
  const offline = first === undefined;
  const warningOf = (role: string, model: string | undefined, name: string): GaveWay[] => {
    if (model !== undefined || standIn === offlineModel) return [];
    const check = context.router.check(canonical(name, context));
    return [gaveWay(check, name, `${standIn} takes the ${role} role`)];
  };
  const panel = seatPolicies({configured, review, offline, context});
  return {
    decision: standIn,
    exploration: exploration ?? standIn,
    ask: ask ?? standIn,
    review: panel.review,
    configured,
    offline,
    warnings: {
      decision: warningOf('decision', decision, agent.decision_model),
      exploration: warningOf('exploration', exploration, agent.exploration_model),
      ask: warningOf('ask', ask, asking.model),
      review: panel.warnings,
    },
  };
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
    `there is no policy reviewer "${name}", only ${seats.join(', ')}${didYouMean(name, seats)}`,
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
  throw new AppError('config', `${key} names ${policy}, which can only review; name a model`);
}

interface PanelInput {
  readonly configured: readonly string[];
  /** Undefined for a seat whose model cannot be used. */
  readonly review: readonly (string | undefined)[];
  readonly offline: boolean;
  readonly context: RoleContext;
}

/** Seats policy reviewers for the offline model and for models that cannot be used. With no usable model, only policies sit. */
function seatPolicies(input: PanelInput): {review: string[]; warnings: GaveWay[]} {
  const {configured, review, offline, context} = input;
  if (offline && !review.every((model) => model !== undefined && isPolicy(model))) {
    return {review: [...policySeats], warnings: []};
  }
  const free = policySeats.filter((seat) => !review.includes(seat));
  const warnings: GaveWay[] = [];
  const seats = review.flatMap((model, index) => {
    if (model !== undefined && model !== offlineModel) return [model];
    const policy = free.shift();
    const name = configured[index] ?? '';
    const effect = policy
      ? `${policy} takes the seat of ${name}`
      : `the seat of ${name} is left out`;
    warnings.push(gaveWay(context.router.check(name), name, effect));
    return policy ? [policy] : [];
  });
  return {review: seats, warnings};
}

/** Reports a panel for which models were configured but on which policies have all the seats. */
export function lackOfModels(
  {agent}: Config,
  {roles, panel}: {readonly roles: Roles; readonly panel: readonly Seat[]},
): {readonly lacksModels?: true} {
  if (agent.phase_scope === 'fast') return {};
  const isByRule = roles.configured.every((name) => isPolicy(name) || name === offlineModel);
  return !isByRule && panel.every(({kind}) => kind === 'policy') ? {lacksModels: true} : {};
}
