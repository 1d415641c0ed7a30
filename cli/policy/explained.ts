/** A command with what the policy reviewers say of it, as data for other programs. */

import {type CommandAsked, explainCommand} from '../../actors/policies/explain.ts';
import type {Judgement} from '../../actors/policies/index.ts';
import type {EffectKind} from '../../tools/commands/effect.ts';

export interface Explained {
  readonly command: string;
  readonly verdict: Judgement['verdict'];
  /** `scope` is null when no request was given. */
  readonly by: Judgement['by'];
  readonly effects: readonly ShownEffect[];
  /** `safety/mass-delete` … */
  readonly rules: readonly string[];
  /** Words, programs and constructs that were not understood. */
  readonly unknown: readonly string[];
  readonly reasons: readonly string[];
}

export interface ShownEffect {
  readonly effect: EffectKind;
  /** Of a place: relative to the workspace, `.` for itself; absolute where it lies outside. */
  readonly target: string;
  /** It touches more than the one file that is named. */
  readonly wide?: true;
  /** The simple command that has it. */
  readonly by: string;
}

export async function explained(asked: CommandAsked): Promise<Explained> {
  const {verdict, by, effects, rules, unknown, reasons} = await explainCommand(asked);
  const shown = effects.map(({kind: effect, place, wide, by: command, ...named}): ShownEffect => {
    const target = place?.path === '' ? '.' : named.target;
    return wide ? {effect, target, wide, by: command} : {effect, target, by: command};
  });
  return {command: asked.command, verdict, by, effects: shown, rules, unknown, reasons};
}

/** 0 approve, 1 refuse, 4 it takes a person. */
export function exitCodeOf({verdict}: Explained): number {
  return {approve: 0, refuse: 1, cannot_judge: 4}[verdict];
}
