/** Chooses the participants of a discussion from the models that can be used. */

import type {DebateSettings, Participant, Settings} from '../../machines/domain/settings.ts';
import {camelKeys} from './casing.ts';
import {gaveWay, gaveWayLines} from './gave-way.ts';
import {isPolicy, nameSeats} from './panel.ts';
import {offlineModel, type RoleContext, type Roles, usable} from './roles.ts';
import type {Config} from './schema.ts';

/** The points of view of the rule-based model, one per seat. */
export const offlineViews = ['benefits', 'risks', 'cost', 'evidence'] as const;

export interface DiscussRoles {
  readonly settings: Pick<Settings, 'discuss' | 'debate'>;
  /** True if every participant is the rule-based model. */
  readonly isOffline: boolean;
  /** `provider/model` of the sides, the participants and the moderator. */
  readonly models: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * The participants are the named ones, otherwise the usable models of the panel; if there are none, the decision model, which
 * speaks from several points of view if it is rule-based. Throws AppError as `resolveRoles` does.
 */
export function resolveDiscuss(config: Config, roles: Roles, context: RoleContext): DiscussRoles {
  const {participants: asked, strategy} = config.discuss;
  const key = asked.length > 0 ? 'discuss.participants' : 'agent.review_models';
  const names = (asked.length > 0 ? asked : config.agent.review_models).filter(
    (name) => asked.length > 0 || !isPolicy(name),
  );
  const usables = names.map((name) => usable(key, name, context));
  const models = usables.filter((model) => model !== undefined);
  const participants = participantsOf(models.length > 0 ? models : [roles.decision]);
  const left = names.filter((_, index) => usables[index] === undefined);
  const moderator = {
    id: 'moderator',
    model: moderatorOf(config, roles, {context, participants}),
  };
  const debate = debateOf(config, participants, context);
  const sides = strategy === 'debate' ? [debate.proponent, debate.opponent] : participants;
  const isOffline = sides.every(({model}) => model === offlineModel);
  return {
    isOffline,
    models: [...sides, ...participants, moderator].map(({model}) => model),
    settings: {discuss: {...camelKeys(config.discuss), participants, moderator}, debate},
    warnings: [
      ...gaveWayLines(
        (isOffline ? [] : left).map((name) =>
          gaveWay(context.router.check(name), name, `the seat of ${name} is left out`),
        ),
      ),
      ...(sides.length === 1 ? [alone] : []),
    ],
  };
}

const alone =
  'there is only one participant; name several with -m participants=a,b,c, or discuss.participants';

/** The named models, otherwise the first two participants. A single model speaks on both sides. */
function debateOf(
  {debate}: Config,
  participants: readonly Participant[],
  context: RoleContext,
): DebateSettings {
  const named = debate.models.flatMap((name) => usable('debate.models', name, context) ?? []);
  const sides = named.length > 0 ? participantsOf(named) : participants;
  const [proponent = {id: 'offline', model: offlineModel}, opponent = proponent] = sides;
  return {proponent, opponent, ...camelKeys(debate, ['models'])};
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

interface Around {
  readonly context: RoleContext;
  readonly participants: readonly Participant[];
}

/** The named moderator, otherwise the decision model; if that is the offline model, the first participant. */
function moderatorOf(
  {discuss}: Config,
  {decision}: Roles,
  {context, participants}: Around,
): string {
  const named =
    discuss.moderator === '' ? undefined : usable('discuss.moderator', discuss.moderator, context);
  if (named !== undefined) return named;
  return decision === offlineModel ? (participants[0]?.model ?? decision) : decision;
}

/** The keys from which the models of a discussion are read. */
export function keysForDiscuss({discuss, debate}: Config): readonly string[] {
  return [
    ...(discuss.participants.length > 0 ? ['discuss.participants'] : ['agent.review_models']),
    ...(debate.models.length > 0 ? ['debate.models'] : []),
    ...(discuss.moderator === '' ? ['agent.decision_model'] : ['discuss.moderator']),
  ];
}
