/** The ballots of a vote, with their reasons, and the links to the moment and to the prompt of each. */

import type {JsonObject} from '../../../../../machines/domain/json.ts';
import type {ModelCall} from '../../../../../machines/trace/step.ts';
import {button, element} from '../../../../serve/page/browser/element.ts';
import {numberIn, objectIn, objectsIn, textIn, textsIn} from '../derived/members.ts';
import {type Ballot, callOfBallot, type Round} from '../derived/rounds.ts';
import {duration} from '../elements/formatting.ts';
import {createJsonTree} from '../elements/json-tree.ts';
import {safeLine, safeText} from '../elements/safe-text.ts';
import {t} from '../language.ts';
import type {Stage, View} from '../stage.ts';

const verdictWords: Readonly<Record<string, string>> = {
  approve: t`approves`,
  reject: t`rejects`,
  abstain: t`abstains`,
};

const marks: Readonly<Record<string, string>> = {approve: '●', reject: '○', abstain: '!'};

export interface Shown {
  readonly stage: Stage;
  readonly view: View;
  readonly calls: readonly ModelCall[];
}

export function seatItem(seat: string, round: Round, shown: Shown): HTMLElement {
  const ballot = round.ballots.find(({vote}) => textIn(vote, 'model') === seat);
  if (ballot) return ballotItem(seat, ballot, {round, shown});
  const record = round.decided?.record;
  const isMissed = textsIn(record, 'missed').includes(seat);
  const text = isMissed
    ? t`could not be called, and was not needed`
    : record
      ? t`not needed any more`
      : t`no ballot yet`;
  return element(
    'li',
    {class: 'ballot absent'},
    element('span', {class: 'ballot-mark', 'aria-hidden': 'true'}, '·'),
    element(
      'div',
      {},
      element('span', {class: 'strong'}, safeLine(seat)),
      ' ',
      element('span', {class: 'muted'}, text),
    ),
  );
}

function ballotItem(
  seat: string,
  {index, vote}: Ballot,
  {round, shown}: {readonly round: Round; readonly shown: Shown},
): HTMLElement {
  const verdict = textIn(vote, 'verdict') ?? '';
  const isNew = index === shown.view.index;
  const seq = shown.view.moments.steps[index]?.seq ?? 0;
  const call = callOfBallot(shown.calls, {actor: round.actor, seat, seq});
  return element(
    'li',
    {class: `ballot ${verdict}${isNew ? ' new' : ''}`},
    element('span', {class: 'ballot-mark', 'aria-hidden': 'true'}, marks[verdict] ?? '?'),
    element(
      'div',
      {class: 'ballot-body'},
      element(
        'div',
        {class: 'row'},
        element('span', {class: 'strong'}, safeLine(seat)),
        element('span', {}, verdictWords[verdict] ?? verdict),
        element('span', {class: 'muted number'}, ballotFacts(vote, weightOf(seat, round))),
        isNew ? element('span', {class: 'badge changed'}, t`new in this step`) : undefined,
        momentLink(index, shown),
        call
          ? button(t`Prompt`, {class: 'link', 'aria-label': `${t`Prompt`}: ${seat}`}, () =>
              shown.stage.openCall(call.key),
            )
          : undefined,
      ),
      ...reasonsOf(vote),
    ),
  );
}

function weightOf(seat: string, {decided}: Round): number {
  return numberIn(objectIn(decided?.record, 'weights'), seat) ?? 1;
}

function ballotFacts(vote: JsonObject, weight: number): string {
  const {confidence, ms} = vote;
  const isVoluntary = textIn(vote, 'abstainedBecause') === undefined;
  return [
    typeof confidence === 'number' && isVoluntary ? t`${Math.round(confidence * 100)}% sure` : '',
    weight === 1 ? '' : t`weight ${weight}`,
    typeof ms === 'number' ? duration(ms) : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

function reasonsOf(vote: JsonObject): HTMLElement[] {
  const because = textIn(vote, 'abstainedBecause');
  const suggested = textIn(vote, 'suggestedChange');
  const rules = textsIn(vote, 'rules');
  const unknown = textsIn(vote, 'unknown');
  const comments = objectsIn(vote, 'comments');
  return [
    ...(because === undefined ? [] : [labelled(t`No vote:`, because)]),
    ...textsIn(vote, 'reasons').map((reason) => element('p', {class: 'reason'}, safeText(reason))),
    ...(suggested ? [labelled(t`Suggests:`, suggested)] : []),
    ...(rules.length > 0 ? [labelled(t`Rules:`, rules.join(', '))] : []),
    ...(unknown.length > 0 ? [labelled(t`Can’t judge:`, unknown.join(', '))] : []),
    ...comments.map((comment) => commentTree(comment)),
  ];
}

export function labelled(label: string, text: string): HTMLElement {
  return element('p', {}, element('span', {class: 'muted'}, label), ' ', safeText(text));
}

function commentTree(value: JsonObject): HTMLElement {
  const tree = createJsonTree(t`Comment`);
  tree.show(value);
  return tree.element;
}

export function screenings(screened: readonly JsonObject[]): HTMLElement | undefined {
  if (screened.length === 0) return undefined;
  const items = screened.map((screening) => {
    const verdict = textIn(screening, 'verdict') ?? '';
    return element(
      'li',
      {class: `ballot ${verdict}`},
      element('span', {class: 'ballot-mark', 'aria-hidden': 'true'}, marks[verdict] ?? '?'),
      element(
        'div',
        {class: 'ballot-body'},
        element('span', {class: 'strong'}, safeLine(textIn(screening, 'policy') ?? '')),
        ' ',
        verdictWords[verdict] ?? verdict,
        ...reasonsOf(screening),
      ),
    );
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
