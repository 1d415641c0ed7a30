/** The actors that a machine under test starts: puppets, which the search settles, and machines, which are run. */

import type {ActorRefLike, AnyStateMachine} from 'xstate';

import type {Move} from './moves.ts';
import {Outcome} from './outcome.ts';
import {
  boundSteps,
  type Deed,
  hasCountedId,
  isActive,
  machineOf,
  type NewActor,
  newActor,
  parentOf,
  pathOf,
  type Performed,
  rename,
  replaceByPuppet,
  withholdActions,
} from './puppet.ts';
import {handles, type Tables} from './tables.ts';

/** The id of the machine under test. */
export const subjectId = 'subject';

export interface Member {
  /** The ids of its ancestors below the machine under test and its own, joined by `/`; empty for the machine itself. */
  readonly path: string;
  /** The names by which samples and tests may call it: its path, its id, the name of its logic. */
  readonly names: readonly string[];
  readonly actor: NewActor;
  /** Absent: a puppet. */
  readonly machine?: AnyStateMachine;
}

export interface Cast {
  /** Prepares a new actor, before its first step. */
  readonly meet: (actor: ActorRefLike) => void;
  /** Puppets that have not ended, in the order in which they were started. */
  readonly puppets: () => readonly Member[];
  /** Machines that have not ended, the one under test first. */
  readonly machines: () => readonly (Member & {readonly machine: AnyStateMachine})[];
  readonly performed: readonly Performed[];
}

export function createCast({outcomes}: Tables, runsActions: boolean): Cast {
  const members: Member[] = [];
  const performed: Performed[] = [];
  const counts = new Map<string, number>();

  function nameAnew(actor: NewActor, src: string): void {
    const count = (counts.get(src) ?? 0) + 1;
    counts.set(src, count);
    rename(actor, `${src}:${count}`);
  }

  return {
    meet(ref) {
      const actor = newActor(ref);
      if (parentOf(actor) === undefined) return;
      const src = srcOf(actor);
      if (hasCountedId(actor)) nameAnew(actor, src);
      if (!runsActions) withholdActions(actor, (action) => performed.push(action));
      const path = pathBelow(actor);
      const names = [path, actor.id, src];
      const machine = machineOf(actor);
      const isPlayed = path !== '' && names.some((name) => outcomes.has(name));
      if (machine && !isPlayed) {
        boundSteps(machine);
        members.push({path, names, actor, machine});
      } else if (isPlayed || isActive(actor)) {
        replaceByPuppet(actor);
        members.push({path, names, actor});
      }
    },
    puppets: () => members.filter((each) => each.machine === undefined && isAlive(each)),
    machines: () =>
      members.flatMap(({machine, ...member}) =>
        machine && isAlive(member) ? [{...member, machine}] : [],
      ),
    performed,
  };
}

/** Everything that a puppet may do now. */
export function movesOf(puppet: Member, all: readonly Member[], {outcomes}: Tables): Move[] {
  const {names, actor} = puppet;
  const above = parentOf(actor);
  const parent = above && machineOf(above);
  const canReceive = (type: string) =>
    parent === undefined || handles(parent, `${type}.${actor.id}`);
  const given = names.map((name) => outcomes.get(name)).find((list) => list !== undefined);
  const usual = canReceive('xstate.done.actor') ? [new Outcome('done', undefined)] : [];
  const failure = new Outcome('fails', new Error(`${names[2]} failed`));
  const listed = given ?? usual;
  const mayFail =
    canReceive('xstate.error.actor') &&
    given?.length !== 0 &&
    !listed.some(({kind}) => kind === 'fails');
  const name = nameAmong(puppet, all);
  return listed.concat(mayFail ? failure : []).map(({kind, value}) => ({
    type: 'settle',
    actor: name,
    does: kind,
    value,
  }));
}

/** The name of its logic, if no other actor has it. */
export function nameAmong({path, names: [, , src = path]}: Member, all: readonly Member[]): string {
  return all.filter(({names}) => names.includes(src)).length === 1 ? src : path;
}

/** Has a puppet do something. */
export function settle({actor}: Member, does: Outcome['kind'], value: unknown): void {
  if (does !== 'sends') actor.send(deedOf(does, value));
  else if (isEvent(value)) parentOf(actor)?.send(value);
  else throw new Error('an actor sends an object with a type');
}

function deedOf(does: Exclude<Outcome['kind'], 'sends'>, value: unknown): Deed {
  if (does === 'done') return {type: 'puppet.done', output: value};
  return does === 'fails' ? {type: 'puppet.fail', error: value} : {type: 'puppet.next', value};
}

function isEvent(value: unknown): value is {readonly type: string} {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function isAlive({actor}: Member): boolean {
  const snapshot: unknown = actor.getSnapshot();
  return (
    typeof snapshot === 'object' &&
    snapshot !== null &&
    'status' in snapshot &&
    snapshot.status === 'active'
  );
}

/** Below the machine under test. */
function pathBelow(actor: NewActor): string {
  return pathOf(actor).split('/').slice(1).join('/');
}

/** The name of an actor's logic in `setup`; of an inline logic, the actor's id. */
function srcOf({src, id}: NewActor): string {
  if (typeof src === 'string' && !src.startsWith('xstate.')) return src;
  return /^x:\d+$/.test(id) ? 'inline' : id;
}
