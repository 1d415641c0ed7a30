/** Hand-made analyses of commands, for rules that look at nothing else. */

import {emptyAnalysis, type CommandAnalysis} from '../../../actors/policies/analysis/analysis.ts';
import type {Effect, EffectKind, PlaceState} from '../../../tools/commands/effect.ts';
import type {SimpleCommand, Understanding} from '../../../tools/commands/understanding.ts';
import {wordOf} from '../../../tools/commands/word.ts';

/** An effect on a place: relative, or absolute outside of the workspace. */
export function on(
  kind: EffectKind,
  path: string,
  state: PlaceState = 'clean',
  more: Partial<Effect> = {},
): Effect {
  const place = {path, inside: !path.startsWith('/'), isFolder: more.wide === true, state};
  return {kind, target: path, place, by: 'x', ...more};
}

/** An effect on any other target. */
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

/** The analysis of a proposal with one call. */
export function analysed(
  command: Understanding,
  more: Partial<CommandAnalysis> = {},
): CommandAnalysis {
  return {...emptyAnalysis, calls: [command], ...more};
}
