/** A key of where an actor and all below it stand: equal exactly when their states and contexts are. */

import {type AnyActorRef, isMachineSnapshot} from 'xstate';
import {z} from 'zod';

import {quickDigest} from '../../machines/domain/digest.ts';
import type {Recorded, RecordedDialogue} from '../../machines/facts/fact.ts';
import {recordId} from '../../machines/facts/record.ts';

const factsSchema = z.array(z.custom<Recorded>());
const snapshotSchema = z.object({
  context: z.object({
    pages: z.array(factsSchema),
    facts: factsSchema,
    dialogue: z.array(z.custom<RecordedDialogue>()),
  }),
});

/** Equal for two exactly when the same actors stand in the same states, whatever they hold. */
export function placeOf(actor: AnyActorRef): string {
  const snapshot: unknown = actor.getSnapshot();
  if (!isMachineSnapshot(snapshot)) return '';
  return [JSON.stringify(snapshot.value), ...below(snapshot.children, placeOf)].join(' ');
}

/** What charts hold is never changed in place, so that a digest holds as long as its object. */
const digests = new WeakMap<object, string>();

export function keyOf(actor: AnyActorRef): string {
  return quickDigest(textOf(actor));
}

function textOf(actor: AnyActorRef): string {
  const snapshot: unknown = actor.getSnapshot();
  if (actor.id === recordId) return factsOf(snapshot).map(digestOf).join(' ');
  if (!isMachineSnapshot(snapshot)) return digestOf(snapshot);
  const {value, status, context, output, error} = snapshot;
  return [value, status, context, output, error]
    .map(digestOf)
    .concat(below(snapshot.children, textOf))
    .join(' ');
}

function below(
  children: Readonly<Record<string, AnyActorRef | undefined>>,
  tell: (child: AnyActorRef) => string,
): string[] {
  return Object.entries(children)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, child]) => `${id}(${child ? tell(child) : ''})`);
}

/** Without decisions: a person may have the same thing repeated for ever. */
function factsOf(snapshot: unknown): readonly object[] {
  const {pages, facts, dialogue} = snapshotSchema.parse(snapshot).context;
  return [...[...pages.flat(), ...facts].filter(({type}) => type !== 'human.decided'), ...dialogue];
}

function digestOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const known = digests.get(value);
  if (known !== undefined) return known;
  const digest = quickDigest(membersOf(value).join(','));
  digests.set(value, digest);
  return digest;
}

function membersOf(value: object): string[] {
  if (Array.isArray(value)) return value.map(digestOf);
  return Object.entries(value)
    .filter(([name, member]) => member !== undefined && name !== 'decisions')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${name}:${digestOf(member)}`);
}
