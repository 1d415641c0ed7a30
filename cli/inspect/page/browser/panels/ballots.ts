/** The ballots of a vote, with their reasons, and the links to the moment and to the prompt of each. */

import {asJson} from '../../../../../machines/domain/json.ts';
import {
  type ModelVote,
  type Screening,
  verdictMarks,
} from '../../../../../machines/domain/review.ts';
import type {ModelCall} from '../../../../../machines/trace/step.ts';
import {button, element} from '../../../../serve/page/browser/element.ts';
import {callOfBallot, type PlacedRound} from '../derived/decisions.ts';
import {duration} from '../elements/formatting.ts';
import {createJsonTree} from '../elements/json-tree.ts';
import {safeText, textSpan} from '../elements/safe-text.ts';
import {t} from '../language.ts';
import type {Stage, View} from '../stage.ts';

const verdictWords = {approve: t`approves`, reject: t`rejects`, abstain: t`abstains`};

export interface Shown {
  readonly stage: Stage;
  readonly view: View;
  readonly calls: readonly ModelCall[];
}

export function seatItem(seat: string, placed: PlacedRound, shown: Shown): HTMLElement {
  const {votes, decided} = placed.round;
  const at = votes.findIndex(({model}) => model === seat);
  const vote = votes[at];
  if (vote) return voteItem(vote, placed.cast[at] ?? -1, placed, shown);
  const text = decided?.missed?.includes(seat)
    ? t`could not be called, and was not needed`
    : decided
      ? t`not needed any more`
      : t`no ballot yet`;
  return ballotItem('absent', '·', element('div', {}, ...nameOf(seat), muted(text)));
}

function ballotItem(kind: string, mark: string, body: HTMLElement): HTMLElement {
  const sign = element('span', {class: `ballot-mark ${kind}`, 'aria-hidden': 'true'}, mark);
  return element('li', {class: `ballot ${kind}`}, sign, body);
}

function nameOf(seat: string): (HTMLElement | string)[] {
  return [textSpan('strong', seat), ' '];
}

function muted(text: string): HTMLElement {
  return textSpan('muted number', text);
}

function voteItem(vote: ModelVote, cast: number, {round}: PlacedRound, shown: Shown): HTMLElement {
  const {model, verdict} = vote;
  const {moments, index} = shown.view;
  const isNew = cast === index;
  const seq = moments.steps[cast]?.seq ?? 0;
  const call = callOfBallot(shown.calls, {actor: round.actor, seat: model, seq});
  const row = element(
    'div',
    {class: 'row'},
    ...nameOf(model),
    element('span', {}, verdictWords[verdict]),
    muted(ballotFacts(vote, round.decided?.weights[model] ?? 1)),
    isNew ? textSpan('badge changed', t`new in this step`) : undefined,
    momentLink(cast, shown),
    call
      ? button(t`Prompt`, {class: 'link', 'aria-label': `${t`Prompt`}: ${model}`}, () =>
          shown.stage.openCall(call.key),
        )
      : undefined,
  );
  const body = element('div', {class: 'ballot-body'}, row, ...reasonsOf(vote));
  return ballotItem(`${verdict}${isNew ? ' new' : ''}`, verdictMarks[verdict], body);
}

function ballotFacts({confidence, ms, abstainedBecause}: ModelVote, weight: number): string {
  return [
    abstainedBecause === undefined ? t`${Math.round(confidence * 100)}% sure` : '',
    weight === 1 ? '' : t`weight ${weight}`,
    ms === undefined ? '' : duration(ms),
  ]
    .filter(Boolean)
    .join(' · ');
}

function reasonsOf({
  abstainedBecause: because,
  reasons,
  suggestedChange: suggested,
  rules = [],
  unknown = [],
  comments = [],
}: Partial<ModelVote> & Pick<Screening, 'reasons'>): HTMLElement[] {
  return [
    ...(because === undefined ? [] : [labelled(t`No vote:`, because)]),
    ...reasons.map((reason) => element('p', {class: 'reason'}, safeText(reason))),
    ...(suggested ? [labelled(t`Suggests:`, suggested)] : []),
    ...(rules.length > 0 ? [labelled(t`Rules:`, rules.join(', '))] : []),
    ...(unknown.length > 0 ? [labelled(t`Can’t judge:`, unknown.join(', '))] : []),
    ...comments.map((comment) => {
      const tree = createJsonTree(t`Comment`);
      tree.show(asJson(comment));
      return tree.element;
    }),
  ];
}

export function labelled(label: string, text: string): HTMLElement {
  return element('p', {}, element('span', {class: 'muted'}, label), ' ', safeText(text));
}

export function screenings(screened: readonly Screening[] = []): HTMLElement | undefined {
  if (screened.length === 0) return undefined;
  const items = screened.map((screening) => {
    const {policy, verdict} = screening;
    const parts = [...nameOf(policy), verdictWords[verdict], ...reasonsOf(screening)];
    const body = element('div', {class: 'ballot-body'}, ...parts);
    return ballotItem(verdict, verdictMarks[verdict], body);
  });
  return element(
    'details',
    {class: 'screened'},
    element('summary', {}, t`Policies`),
    element('ul', {class: 'ballots'}, ...items),
  );
}

export function momentLink(index: number, {stage, view}: Shown): HTMLElement {
  const seq = view.moments.steps[index]?.seq ?? 0;
  return button(`${t`Entry`} ${seq}`, {class: 'link'}, () => stage.goTo(index));
}
