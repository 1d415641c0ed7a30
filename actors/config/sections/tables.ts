/** `[[spawn]]` and `[[allow]]`: rules by which an interaction spawns another, and permanently allowed commands. */

import {z} from 'zod';

import {spawnableForms} from '../../../machines/domain/interaction-form.ts';
import {readTrigger} from '../../../machines/domain/settings.ts';
import {fixed} from './row.ts';

const request = z
  .string()
  .max(4096)
  .regex(/\S/u, 'is empty; write a task, a question or a topic')
  .regex(/^[^\p{Cf}\p{Zl}\p{Zp}]*$/u, 'contains invisible characters');

const spawnRule = z.lazy(() =>
  z.strictObject({
    when: fixed(
      'the trigger of a rule, each headed [[spawn]]: EVENT or EVENT:N; the rule fires once, at the N-th plan.rejected, action.rejected, task.failed or quorum.noQuorum of an agent or a question',
    )(
      z.string().superRefine((trigger, context) => {
        const reading = readTrigger(trigger);
        if (!reading.ok) context.addIssue(reading.problem);
      }),
    ),
    form: fixed('the form of the spawned interaction, which triggers no rules itself')(
      z.enum(spawnableForms),
    ),
    request: fixed('the task, question or topic; the parent receives the result')(request),
    /** Absent: the default of the form. */
    context_mode: fixed(
      'context from its parent: all, a summary or nothing; projected for ask, otherwise full',
    )(z.enum(['full', 'projected', 'fresh']).optional()),
  }),
);

const allowRule = z.lazy(() =>
  z.strictObject({
    folder: fixed(
      'the folder in which a permanently allowed command starts (/always at a gate), each headed [[allow]]',
    )(z.string().max(4096).startsWith('/', 'is not an absolute path')),
    command: fixed('the whole command, or its first words')(z.string().min(1).max(30_000)),
    match: fixed('exact: the whole command; prefix: any words may follow')(
      z.enum(['exact', 'prefix']).default('exact'),
    ),
    based_on: fixed(
      'SHA-256 of the scripts and code that the command ran: if they change, a person is asked again',
    )(
      z
        .string()
        .regex(/^[0-9a-f]{64}$/, 'is not a SHA-256')
        .optional(),
    ),
  }),
);

export const ruleTables = {
  /** Rules that match the same event fire in this order. */
  spawn: fixed('rules by which an interaction spawns another, each headed [[spawn]]')(
    z.array(spawnRule).max(20).default([]),
  ),
  allow: fixed(
    'commands that a person has permanently allowed (/always at a gate), each headed [[allow]]; quorate config --forget COMMAND removes one',
  )(z.array(allowRule).max(1_000).default([])),
};
