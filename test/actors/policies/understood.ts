/** What a command is understood to do, made by hand: for rules that look at nothing else. */

import {nothingToStudy, type Study} from '../../../actors/policies/study/study.ts';
import type {Effect, EffectKind, PlaceState} from '../../../tools/commands/effect.ts';
import type {SimpleCommand, Understanding} from '../../../tools/commands/understanding.ts';
import {wordOf} from '../../../tools/commands/word.ts';

/** On a place: relative, or absolute where it lies outside. */
export function on(
  kind: EffectKind,
  path: string,
  state: PlaceState = 'clean',
  more: Partial<Effect> = {},
): Effect {
  const place = {path, inside: !path.startsWith('/'), isFolder: more.wide === true, state};
  return {kind, target: path, place, by: 'x', ...more};
}

/** On anything else. */
export function doing(kind: EffectKind, target: string, by = 'x'): Effect {
  return {kind, target, by};
}

/** A simple command of plain words. */
export function simple(text: string, more: Partial<SimpleCommand> = {}): SimpleCommand {
  const [name = '', ...args] = text.split(' ');
  return {
    name,
    args: args.map(wordOf),
    assignments: {},
    redirects: [],
    text,
    folder: '',
    piped: false,
    background: false,
    isTest: false,
    ...more,
  };
}

export function understood(
  effects: readonly Effect[],
  more: Partial<Understanding> = {},
): Understanding {
  const commands = [...new Set(effects.map(({by}) => by))].map((by) => simple(by));
  return {effects, unknown: [], followed: [], commands, ...more};
}

/** Of a proposal with one call. */
export function studied(command: Understanding, more: Partial<Study> = {}): Study {
  return {...nothingToStudy, calls: [command], ...more};
}
