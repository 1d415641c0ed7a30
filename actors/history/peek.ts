/** The current state of an open run, from a replay of its journal, and its private answers. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import type {InterviewView, OpenAsk} from '../../machines/questionnaire/answers.ts';
import {createPrivacy, type Privacy} from '../../machines/questionnaire/private-answers.ts';
import {interviewAt} from '../../machines/tree/partial-result.ts';
import type {ActorTree} from '../engine/actor-tree.ts';
import {replay} from '../engine/replay.ts';
import type {Entry} from '../journal/journal.ts';
import {gatesOf, maskedAsksOf} from '../run/inbound.ts';
import {createDiscretion} from '../run/progress.ts';
import {underWayIn} from '../run/run-host.ts';
import {eventOf} from '../run/run-result.ts';
import type {OpenGate} from '../runtime-api.ts';
import {recordedTree} from './record.ts';

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
  const tree: ActorTree = recordedTree(entries, {
    onReport: ({report, actor, at}) => {
      const shown = discretion.report(report);
      if (shown) reports.push(eventOf(shown, id, {seq: reports.length + 1, at, actor}));
    },
  });
  await replay({tree}, entries);
  return {reports, ...viewOf(tree, id)};
}

/** The state of a tree whose run is performed elsewhere, or nowhere. */
export function viewOf(
  {root, effects: {open}}: Pick<ActorTree, 'root' | 'effects'>,
  id: string,
): Omit<Peeked, 'reports'> {
  const interview = interviewAt(root, id);
  return {
    gates: gatesOf(open, id),
    asks: maskedAsksOf(open, id),
    underWay: underWayIn(open),
    ...(interview ? {interview} : {}),
    isAtWork: open.some(({nature}) => nature.settledBy !== 'person'),
  };
}

/**
 * `entries`: of the whole run, because an answer is known as private only after it was read. `shown`: the parts that are shown, which
 * may hold an answer that the end of the run no longer holds. A run of another version has only its record as a source.
 */
export async function privacyOf(
  id: string,
  entries: readonly Entry[],
  ...shown: readonly object[]
): Promise<Privacy> {
  return createPrivacy(entries, await interviewOf(id, entries), ...shown);
}

async function interviewOf(id: string, entries: readonly Entry[]): Promise<object> {
  try {
    return (await peekRun(id, entries)).interview ?? {};
  } catch (error) {
    if (error instanceof AppError) return {};
    throw error;
  }
}
