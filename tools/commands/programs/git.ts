/** Git: by subcommand. What it does not name (aliases, and programs called `git-x`) is not understood. */

import type {Arguments, Invocation, Program, Reading} from '../program.ts';
import {looking} from './git-look.ts';
import {recording} from './git-record.ts';
import {isHarmlessSetting, reaching} from './git-remote.ts';
import {has, withUnknown} from './refine.ts';

export const git: readonly Program[] = [
  {
    name: 'git',
    options:
      '-C=from -c=text -P|--no-pager --no-optional-locks --no-replace-objects --literal-pathspecs --no-lazy-fetch -v|--version -h|--help',
    does: 'repository=.',
    when: {'-v --version -h --help': {does: ''}},
    subcommands: {...looking, ...recording, ...reaching, '': {}},
    refine: settled,
  },
];

/** `-c NAME=VALUE` may name programs, filters and hooks. */
function settled(reading: Reading, call: Invocation, given: Arguments): Reading {
  const isBare = given.operands.length === 0 && !has(given, '-v --version -h --help');
  const checked = isBare ? withUnknown(reading, call.name, 'needs a subcommand') : reading;
  return given.options.reduce((result, {name, value}) => {
    if (name !== '-c' || !value) return result;
    const [key = '', ...rest] = value.text.split('=');
    return value.known && isHarmlessSetting(key, rest.join('='))
      ? result
      : withUnknown(result, `-c ${value.text}`, 'may make git run programs');
  }, checked);
}
