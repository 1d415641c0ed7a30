/** Permanent permissions of a person, in their own file beside their configuration: `[[allow]]` tables. */

import {appendFileSync, mkdirSync, renameSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';

import {toAllowRules} from '../../actors/config/resolve.ts';
import {parseConfig} from '../../actors/config/schema.ts';
import type {AllowRule} from '../../machines/domain/allow-rule.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {type Message, t} from '../../machines/message.ts';
import type {Environment} from '../terminal.ts';
import {
  codeOf,
  hiddenCharacters,
  type Layer,
  parseConfigText,
  readConfigFile,
  toNested,
} from './file.ts';
import {allowedFile} from './paths.ts';

/** Adds a rule to the file. Throws AppError `io` when it can't be written. */
export function keepRule(rule: AllowRule, env: Environment): void {
  writing(allowedFile(env), (path) => {
    mkdirSync(dirname(path), {recursive: true, mode: 0o700});
    appendFileSync(path, tableOf(rule), {mode: 0o600});
  });
}

/**
 * Removes the rules for a command in a folder, and returns them. Throws AppError `not_found` when there are none, `config`
 * when the file can't be read, `io` when it can't be written.
 */
export async function forgetRules(
  {folder, command}: Pick<AllowRule, 'folder' | 'command'>,
  env: Environment,
): Promise<readonly AllowRule[]> {
  const rules = await rulesIn(allowedFile(env));
  const [meant = [], others = []] = [true, false].map((isMeant) =>
    rules.filter((rule) => (rule.folder === folder && rule.command === command) === isMeant),
  );
  if (meant.length === 0) throw notAllowed(command, folder, rules);
  writing(allowedFile(env), (path) => {
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, others.map(tableOf).join(''), {mode: 0o600});
    renameSync(draft, path);
  });
  return meant;
}

async function rulesIn(path: string): Promise<readonly AllowRule[]> {
  const file = await readConfigFile(path);
  if (!file) return [];
  return toAllowRules(parseConfig(toNested(await parseConfigText(path, file.text))));
}

function notAllowed(command: string, folder: string, rules: readonly AllowRule[]): AppError {
  const elsewhere = rules.find((rule) => rule.command === command);
  const here = rules
    .filter((rule) => rule.folder === folder)
    .map((rule) => tomlString(rule.command));
  const [name, hint] = [tomlString(command), hintOn(elsewhere?.folder, here.join(', '))];
  return new AppError('not_found', t`${name} is not allowed for good in ${folder}; ${hint}`);
}

function hintOn(elsewhere: string | undefined, here: string): Message {
  if (elsewhere !== undefined) {
    return t`it is allowed in ${elsewhere}: name that folder with -C`;
  }
  return here === '' ? t`nothing is allowed there` : t`there is ${here}`;
}

function tableOf({folder, command, match, basedOn}: AllowRule): string {
  const lines = [
    '[[allow]]',
    `folder = ${tomlString(folder)}`,
    `command = ${tomlString(command)}`,
    `match = ${tomlString(match)}`,
    ...(basedOn === undefined ? [] : [`based_on = ${tomlString(basedOn)}`]),
  ];
  return `${lines.join('\n')}\n\n`;
}

function writing(path: string, write: (path: string) => void): void {
  try {
    write(path);
  } catch (cause) {
    throw new AppError('io', `${path} can't be written (${codeOf(cause)})`, {cause});
  }
}

/** A TOML string: as JSON, with DEL and hidden characters escaped in addition. */
function tomlString(text: string): string {
  return JSON.stringify(text.toWellFormed())
    .replaceAll('\u007F', escaped)
    .replaceAll(hiddenCharacters, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The user's layer with the rules of that file. Throws AppError `config` when the file contains other keys. */
export function withAllowed(user: Layer, allowed: Layer): Layer {
  const foreign = allowed.find(({path}) => path[0] !== 'allow');
  if (foreign) {
    throw new AppError(
      'config',
      `${foreign.source}: this file accepts only [[allow]]; put other settings into config.toml`,
    );
  }
  const [rules] = allowed;
  if (!rules) return user;
  const own = user.find(({path}) => path[0] === 'allow');
  const value = [own?.value ?? [], rules.value].flat();
  return [...user.filter((entry) => entry !== own), {...rules, value}];
}
