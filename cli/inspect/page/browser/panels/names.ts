/** Names of actors by their roles, and of spans. Ids are shown as tooltips. */

import {isJsonObject} from '../../../../../machines/domain/json.ts';
import type {ActorState, TraceHead} from '../../../../../machines/trace/step.ts';
import {idOf} from '../derived/actors.ts';
import {objectIn, textIn} from '../derived/fold.ts';
import type {Span, SpanKind} from '../derived/timeline.ts';
import {t, word} from '../language.ts';

const machines: Readonly<Record<string, string>> = {
  tree: t`the run`,
  interaction: t`the interaction`,
  agent: t`the agent`,
  ask: t`the question`,
  discuss: t`the discussion`,
  debate: t`the debate`,
  interview: t`the interview`,
  review: t`the review`,
  command: t`the command`,
  lock: t`the lock of the folder`,
  mode: t`the mode of decisions`,
  modeWatch: t`the mode of decisions`,
  record: t`the record`,
  gathering: t`gathering`,
  planning: t`planning`,
  ensemble: t`the planners`,
  question: t`question to a model`,
  'model-call': t`model call`,
  quorum: t`vote`,
  poll: t`the ballots`,
  execution: t`execution of the plan`,
  'turn-loop': t`turns`,
  'tool-call': t`tool call`,
  'action-review': t`review of an action`,
  'human-gate': t`question to a person`,
  evaluation: t`evaluation`,
  'claim-check': t`check of the answer`,
  closing: t`closing answer`,
  greeter: t`the greeter`,
  architect: t`the architect`,
  interviewer: t`the interviewer`,
  'field-reviewer': t`review of a field`,
  confirmation: t`confirmation`,
};

const votes: Readonly<Record<string, string>> = {
  plan: t`vote on the plan`,
  action: t`vote on an action`,
  result: t`vote on the result`,
  diff: t`vote on the diff`,
};

/** Names of actors whose ids are a role and a key. */
const roles: Readonly<Record<string, (key: string, path: string) => string>> = {
  seat: (_, path) => seatName(path),
  task: (key) => t`task ${key}`,
  interaction: (key) => t`interaction ${placeOf(key)}`,
  field: (key) => t`field ${key}`,
};

/** An actor of a program has its id. */
export function actorName(actor: ActorState, {kind}: Pick<TraceHead, 'kind'>): string {
  const id = idOf(actor);
  if (kind === 'program') return id;
  const {machine = actor.logic, path} = actor;
  const [, role = '', key = ''] = /^([^:]*):(.*)$/.exec(id) ?? [];
  return roles[role]?.(key, path) ?? subjectName(actor) ?? machines[machine] ?? id;
}

/** By its context: a vote by its proposal, a call by its tool. */
function subjectName({machine, context}: ActorState): string | undefined {
  const held = isJsonObject(context) ? context : {};
  if (machine === 'quorum')
    return votes[textIn(objectIn(objectIn(held, 'input'), 'proposal'), 'kind') ?? ''];
  if (machine !== 'tool-call') return undefined;
  return t`call of ${textIn(objectIn(held, 'call'), 'name') ?? ''}`;
}

/** `1.2`: without the name of the root. */
function placeOf(id: string): string {
  return id.split('.').slice(1).join('.');
}

/** For an actor that may have ended: its task, and its seat or its part of the form. */
export function placeName(path: string): string {
  const task = /.*\/task:([^/]+)/.exec(path)?.[1];
  const names = [task === undefined ? '' : t`task ${task}`, seatName(path)].filter(Boolean);
  const part = path.split('/').findLast((id) => parts.has(id)) ?? '';
  return names.join(' · ') || (machines[part] ?? part);
}

/** Empty for an actor without a seat. */
function seatName(path: string): string {
  const [, poll = '', seat = ''] = /.*\/([^/]+)\/seat:(.+?)(?:\/call|\/model|$)/.exec(path) ?? [];
  return poll === 'poll' ? t`ballot of ${seat}` : seat;
}

const parts: ReadonlySet<string> = new Set(
  'gathering planning evaluation closing quorum greeter architect interviewer confirmation form'.split(
    ' ',
  ),
);

const spans: Readonly<Record<SpanKind, (span: Span) => string>> = {
  request: () => t`Request`,
  plan: () => t`Plan`,
  vote: ({of}) => capital(votes[of] ?? t`vote`),
  gate: () => capital(t`question to a person`),
  task: ({of}) => capital(t`task ${of}`),
  change: () => t`Change`,
  command: () => t`Command`,
  interaction: ({of, within}) => capital(t`interaction ${placeOf(within)}`) + (of && `, ${of}`),
  said: ({of}) => of,
  judged: () => capital(t`evaluation`),
  limit: ({of}) => t`Limit ${of}`,
  answer: () => t`Answer`,
  model: ({within}) => seatName(within),
  tool: () => '',
  person: () => capital(t`question to a person`),
  resume: () => word('waiting'),
  effect: ({of}) => of,
  actor: ({of}) => of,
};

export function spanName(span: Span): string {
  return spans[span.kind](span);
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
