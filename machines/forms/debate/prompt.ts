/** The prompts of the proponent, the opponent and the moderator of a debate. */

import {isOpen, type Objection} from '../../domain/ledger.ts';
import type {DebateSettings} from '../../domain/settings.ts';
import {engineLine, quotedText, quotingRule} from '../../prompts/section-text.ts';
import {bullets, type Section, writeSections} from '../../prompts/sections.ts';
import {type Ground, groundSections} from '../ground.ts';

const common = `Write in the language of the question, from the texts below and what you know: you have no tools. Say what you could not see.
${quotingRule}`;

export const positionSystem = `You open a debate as its proponent: call take_position exactly once. position is your opinion, in a few sentences \
that can be attacked; arguments are your reasons, with their evidence. An opponent will object, and a moderator rules. ${common}`;

const attacks: Readonly<Record<DebateSettings['intensity'], string>> = {
  mild: 'Raise the objections that you honestly have: what is wrong, missing or risky in the position.',
  strong: `Attack the position as hard as you honestly can: look for what is wrong, missing, risky or unproven in it, and for a \
case in which it fails.`,
};

export function opponentSystem(intensity: DebateSettings['intensity']): string {
  return `You are the opponent in a debate: call raise_objections exactly once. ${attacks[intensity]}
severity: critical, the position must not stand; major, it must not stand as it is; minor, worth saying. Give evidence.
Raise nothing twice, and list in withdrawn the objections that were met. In a later round do not raise the bar: a new \
critical or major objection needs evidence. An empty list is an honest answer. ${common}`;
}

export const proponentSystem = `You defend a position in a debate: call answer_objections exactly once, with an answer to each open objection. Set \
concedes where the objection is right; then give the whole position anew as revised_position, so that it meets the objection, if you \
may revise it. ${common}`;

export const rulingSystem = `You moderate a debate and take no side: call rule_on_objections exactly once, with a ruling on each open objection and \
its reason. resolved: the answer meets it, or the position was revised so that it no longer applies. stands: neither. An objection \
that was conceded is resolved only by a revision. ${common}`;

export interface DebateBrief {
  readonly ground: Ground;
  readonly position: string;
  readonly reasons: readonly string[];
  readonly objections: readonly Objection[];
  /** `round 1 of 3` */
  readonly round: string;
  readonly mayRevise: boolean;
}

export function openingMessage(ground: Ground): string {
  return writeSections([
    ...groundSections(ground),
    ['What to do', engineLine`Take your position.`],
  ]);
}

/** The ground, the position and the objections. */
export function debateSections({ground, position, reasons, objections}: DebateBrief): Section[] {
  return [
    ...groundSections(ground),
    ['Position (data)', quotedText(`${position}\n${bullets(reasons)}`)],
    ['Objections (data)', quotedText(ledgerText(objections))],
  ];
}

export function attackMessage(brief: DebateBrief): string {
  const what = engineLine`Raise your objections in ${brief.round}.`;
  return writeSections([...debateSections(brief), ['What to do', what]]);
}

export function defenceMessage(brief: DebateBrief): string {
  const revision = brief.mayRevise
    ? 'You may revise the position.'
    : 'The position can’t be revised: leave revised_position out.';
  return writeSections([
    ...debateSections(brief),
    ['What to do', engineLine`Answer ${openIds(brief.objections)}. ${revision}`],
  ]);
}

export function rulingMessage(brief: DebateBrief): string {
  const what = engineLine`Rule on ${openIds(brief.objections)}.`;
  return writeSections([...debateSections(brief), ['What to do', what]]);
}

function openIds(objections: readonly Objection[]): string {
  return objections
    .filter(isOpen)
    .map(({id}) => id)
    .join(', ');
}

/** `O1 (major, stands): …` for each, with evidence, answer and reason on separate lines. */
export function ledgerText(objections: readonly Objection[]): string {
  return objections
    .map(({id, severity, ruling = 'open', objection, evidence, answer, isConceded, reason}) =>
      [
        `${id} (${severity}, ${ruling}): ${objection}`,
        ...(evidence === undefined ? [] : [`  evidence: ${evidence}`]),
        ...(answer === undefined ? [] : [`  ${isConceded ? 'conceded' : 'answer'}: ${answer}`]),
        ...(reason === undefined ? [] : [`  ruling: ${reason}`]),
      ].join('\n'),
    )
    .join('\n');
}
