/** A command with the policy reviewers' verdicts, as data for other programs. */

import type {CommandAsked, Explainer} from '../../actors/policies/explain.ts';
import type {Judgement} from '../../actors/policies/index.ts';
import type {Confinement} from '../../machines/domain/tool.ts';
import type {EffectKind} from '../../tools/commands/understanding.ts';

export interface Explained {
  readonly command: string;
  readonly verdict: Judgement['verdict'];
  /** `scope` is null when no request was given. */
  readonly by: Judgement['by'];
  readonly effects: readonly ShownEffect[];
  /** `safety/mass-delete` … */
  readonly rules: readonly string[];
  /** Words, programs and constructs that could not be analysed. */
  readonly unknown: readonly string[];
  readonly reasons: readonly string[];
  /** How commands are confined here. */
  readonly grade: Confinement;
  /** All changes in the workspace could be undone. */
  readonly undoable: boolean;
}

export interface ShownEffect {
  readonly effect: EffectKind;
  /** Of a place: relative to the workspace, `.` for the workspace itself; absolute outside of it. */
  readonly target: string;
  /** It affects more than the one named file. */
  readonly wide?: true;
  /** The simple command that has it. */
  readonly by: string;
}

export async function explained(
  asked: CommandAsked,
  {explain}: Pick<Explainer, 'explain'>,
): Promise<Explained> {
  const {verdict, by, effects, rules, unknown, reasons, grade} = await explain(asked);
  const shown = effects.map(({kind: effect, place, wide, by: command, ...named}): ShownEffect => {
    const target = place?.path === '' ? '.' : named.target;
    return wide ? {effect, target, wide, by: command} : {effect, target, by: command};
  });
  const {command} = asked;
  const known = {command, verdict, by, effects: shown, rules, unknown, reasons};
  return {...known, grade: grade.by, undoable: grade.isRestorable};
}

/** 0 approve, 1 refuse, 4 a person must decide. */
export function exitCodeOf({verdict}: Explained): number {
  return {approve: 0, refuse: 1, cannot_judge: 4}[verdict];
}
