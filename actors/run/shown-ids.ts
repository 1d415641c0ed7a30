/** Ids of interactions outside of their tree begin with the id of the run: `RUN.1.2`. */

import type {JsonObject} from '../../machines/domain/json.ts';
import type {FormParts} from '../../machines/domain/result.ts';
import type {ProgressEvent, Report} from '../../machines/facts/progress.ts';
import {interactionIn, underRoot} from '../../machines/tree/path.ts';

type Source = Pick<ProgressEvent, 'seq' | 'at' | 'actor'>;

/** A report of the charts as an event of the run. */
export function eventOf(report: Report, run: string, source: Source): ProgressEvent {
  const interaction = interactionIn(source.actor, run);
  return {...shownReport(report, run, interaction), ...source, interaction};
}

function shownReport(report: Report, run: string, interaction: string): Report {
  if (report.type === 'interview.submitted')
    return {...report, answers: {...report.answers, submission: interaction}};
  return {...report, ...renamed(report, ['child', 'parent'], run)};
}

/** An event from outside, which names interactions by the id of the run, as the tree knows it. */
export function addressedIn(event: JsonObject, rootName: string): JsonObject {
  return {...event, ...renamed(event, ['interaction', 'parent'], rootName)};
}

/** The parts of the result of a tree as parts of the result of the run. */
export function shownParts<Parts extends FormParts>(parts: Parts, run: string): Parts {
  const {reviews, denied, decisions, interactions, answers} = parts;
  return {
    ...parts,
    ...(reviews ? {reviews: reviews.map((each) => placed(each, run))} : {}),
    ...(denied ? {denied: denied.map((each) => placed(each, run))} : {}),
    ...(decisions ? {decisions: decisions.map((each) => placed(each, run))} : {}),
    ...(interactions ? {interactions: interactions.map((each) => shownNode(each, run))} : {}),
    ...(answers ? {answers: {...answers, submission: run}} : {}),
  };
}

function placed<Item extends {readonly interaction?: string}>(item: Item, run: string): Item {
  return {...item, ...renamed(item, ['interaction'], run)};
}

export function shownNode<Node extends {readonly id: string; readonly parent?: string}>(
  node: Node,
  run: string,
): Node {
  return {...node, ...renamed(node, ['id', 'parent'], run)};
}

/** The members that hold ids, with the ids under another name of the root. */
function renamed(item: object, members: readonly string[], root: string): Record<string, string> {
  const ids = Object.entries(item).flatMap(([member, id]) =>
    members.includes(member) && typeof id === 'string' ? [[member, underRoot(id, root)]] : [],
  );
  return Object.fromEntries(ids);
}
