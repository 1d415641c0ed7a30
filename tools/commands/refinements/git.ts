/** Git, by subcommand. Unlisted names (aliases, and programs called `git-x`) are not understood. */

import type {Arguments, Invocation, Reading, Refinements} from '../program.ts';
import {isHarmlessSetting} from './git-remote.ts';
import {has, withUnknown} from './refine.ts';

export const git: Refinements = {
  gitSettings: settled,
};

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
