/** What a person has allowed for good, in a file of their own beside their configuration: `[[allow]]` tables. */

import {appendFileSync, mkdirSync} from 'node:fs';
import {dirname} from 'node:path';

import type {AllowRule} from '../../machines/domain/allow-rule.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {Environment} from '../terminal.ts';
import {codeOf} from './file.ts';
import type {Layer} from './layer.ts';
import {allowedFile} from './paths.ts';

/** Adds a rule to the file. Throws AppError `io` when it can't be written. */
export function keepRule({folder, command, match, basedOn}: AllowRule, env: Environment): void {
  const path = allowedFile(env);
  const lines = [
    '[[allow]]',
    `folder = ${quoted(folder)}`,
    `command = ${quoted(command)}`,
    `match = ${quoted(match)}`,
    ...(basedOn === undefined ? [] : [`based_on = ${quoted(basedOn)}`]),
  ];
  try {
    mkdirSync(dirname(path), {recursive: true, mode: 0o700});
    appendFileSync(path, `${lines.join('\n')}\n\n`, {mode: 0o600});
  } catch (cause) {
    throw new AppError('io', `${path} can't be written (${codeOf(cause)})`, {cause});
  }
}

/** As TOML has it: like JSON, with the one control character escaped that JSON leaves as it is. */
function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll('\u007F', String.raw`\u007F`);
}

/** The user's layer with the rules of that file. Throws AppError `config` when it holds anything else. */
export function withAllowed(user: Layer, allowed: Layer): Layer {
  const foreign = allowed.find(({path}) => path[0] !== 'allow');
  if (foreign) {
    throw new AppError(
      'config',
      `${foreign.source}: this file takes nothing but [[allow]]; the rest belongs into config.toml`,
    );
  }
  const [rules] = allowed;
  if (!rules) return user;
  const own = user.find(({path}) => path[0] === 'allow');
  const value = [own?.value ?? [], rules.value].flat();
  return [...user.filter((entry) => entry !== own), {...rules, value}];
}
