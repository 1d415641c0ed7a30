/** `[[spawn]]` and `[[allow]]`: rules by which an interaction spawns another, and commands that a person has allowed. */

import {z} from 'zod';

import {spawnableForms} from '../../../machines/domain/interaction-form.ts';
import {readTrigger} from '../../../machines/domain/spawn-rule.ts';
import {fixed} from './row.ts';

const request = z
  .string()
  .max(4096)
  .regex(/\S/u, 'is empty; say what is to be done, asked or discussed')
  .regex(/^[^\p{Cf}\p{Zl}\p{Zp}]*$/u, 'holds invisible characters');

const spawnRule = z.lazy(() =>
  z.strictObject({
    when: fixed(
      'of a rule, each headed [[spawn]]: EVENT or EVENT:N; it fires once, at the N-th plan.rejected, action.rejected, task.failed or quorum.noQuorum of an agent or a question',
    )(
      z.string().superRefine((trigger, context) => {
        const reading = readTrigger(trigger);
        if (!reading.ok) context.addIssue(reading.problem);
      }),
    ),
    form: fixed('the form of the interaction that it starts, which triggers no rules itself')(
      z.enum(spawnableForms),
    ),
    request: fixed('the task, question or topic; the parent receives the result')(request),
    /** Absent: the form's default. */
    context_mode: fixed(
      'context from its parent: all, a summary, nothing; projected for ask, else full',
    )(z.enum(['full', 'projected', 'fresh']).optional()),
  }),
);

const allowRule = z.lazy(() =>
  z.strictObject({
    folder: fixed(
      'of what a person has allowed for good (/always at a gate), each headed [[allow]]: where the command starts',
    )(z.string().max(4096).startsWith('/', 'is not an absolute path')),
    command: fixed('the whole command, or its first words')(z.string().min(1).max(30_000)),
    match: fixed('whether it is the whole command, or any words may follow')(
      z.enum(['exact', 'prefix']).default('exact'),
    ),
    based_on: fixed(
      'SHA-256 of the scripts and code that it stood for: others are asked about again',
    )(
      z
        .string()
        .regex(/^[0-9a-f]{64}$/, 'is no SHA-256')
        .optional(),
    ),
  }),
);

export const ruleTables = {
  /** In this order, where several are met at once. */
  spawn: fixed('rules by which an interaction spawns another, each headed [[spawn]]')(
    z.array(spawnRule).max(20).default([]),
  ),
  allow: fixed(
    'commands that a person has allowed for good (/always at a gate), each headed [[allow]]; quorate config --forget COMMAND takes one back',
  )(z.array(allowRule).max(1_000).default([])),
};
