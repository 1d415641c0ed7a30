/** The current state of an open run, from a replay of its journal: nothing is performed, nothing is written. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {ports} from '../../machines/port-natures.ts';
import type {InterviewView, OpenAsk} from '../../machines/questionnaire/answers.ts';
import {interviewAt} from '../../machines/tree/partial-result.ts';
import {interactionIn} from '../../machines/tree/path.ts';
import {treeMachine} from '../../machines/tree/tree.ts';
import {ActorTree} from '../engine/actor-tree.ts';
import {replay} from '../engine/replay.ts';
import type {Entry} from '../journal/journal.ts';
import {createDiscretion} from '../run/discretion.ts';
import {underWayIn} from '../run/in-flight.ts';
import {gatesOf, maskedAsksOf} from '../run/inbound.ts';
import type {OpenGate} from '../run/open-gate.ts';
import {moveIn} from '../run/run-input.ts';

export interface Peeked {
  /** The reports of the charts, in order. */
  readonly reports: readonly ProgressEvent[];
  /** Questions that wait for a person. */
  readonly gates: readonly OpenGate[];
  /** Questions of interviews to a person, with private answers masked. */
  readonly asks: readonly OpenAsk[];
  /** The view of the root, if that is an interview. */
  readonly interview?: InterviewView;
  /** Calls that were aborted, each with how a resumed run handles it. */
  readonly underWay: readonly string[];
  /** True when a resumed run continues by itself, without an answer of a person. */
  readonly isAtWork: boolean;
}

/** Rejects with AppError `not_found` without an opening, `divergence` when other charts wrote the entries. */
export async function peekRun(id: string, entries: readonly Entry[]): Promise<Peeked> {
  const [opened] = entries;
  if (opened?.type !== 'opened') {
    throw new AppError('not_found', `the run ${id} was never opened`);
  }
  const reports: ProgressEvent[] = [];
  const discretion = createDiscretion(opened.input['form'], () => interviewAt(tree.root, id));
  const tree: ActorTree = new ActorTree({
    logic: treeMachine,
    ports,
    move: moveIn(entries),
    onReport: ({report, actor, at}) => {
      const shown = discretion.report(report);
      if (!shown) return;
      const stamp = {seq: reports.length + 1, at, interaction: interactionIn(actor, id), actor};
      reports.push({...shown, ...stamp});
    },
  });
  await replay({tree}, entries);
  const {open} = tree.effects;
  const interview = interviewAt(tree.root, id);
  return {
    reports,
    gates: gatesOf(open, id),
    asks: maskedAsksOf(open, id),
    underWay: underWayIn(open),
    ...(interview ? {interview} : {}),
    isAtWork: open.some(({nature}) => nature.settledBy !== 'person'),
  };
}
