/** The rounds of votes up to the shown moment, with every ballot, and the questions to a person with their decisions. */

import type {CallDecision, ReviewRound} from '../../../../../machines/domain/review.ts';
import type {RoundView} from '../../../../render/view/run-view.ts';
import {element} from '../../../../serve/page/browser/element.ts';
import {gatesAt, type PlacedGate, type PlacedRound, roundsAt} from '../derived/decisions.ts';
import {viewsOf} from '../derived/fold.ts';
import {createJsonTree} from '../elements/json-tree.ts';
import {safeLine, safeText, textSpan} from '../elements/safe-text.ts';
import {t, word} from '../language.ts';
import {callStore} from '../sources/call-store.ts';
import type {MakePanel, View} from '../stage.ts';
import {labelled, momentLink, screenings, seatItem, type Shown} from './ballots.ts';
import {questionDetails} from './question.ts';

export const outcomeWords = {
  approved: t`approved`,
  rejected: t`rejected`,
  noQuorum: t`no quorum`,
  open: t`open`,
};

export const votesPanel: MakePanel = (stage) => {
  const list = element('ol', {class: 'rounds'});
  const attributes = {class: 'panel-body', tabindex: 0, role: 'region', 'aria-label': t`Votes`};
  const body = element('div', attributes, list);
  const calls = callStore(stage);
  const kept = keptItems();
  const show = (view: View): void => {
    const shown: Shown = {stage, view, calls: calls.of(view) ?? noCalls};
    const nodes = kept(itemsIn(shown), [view.moments, shown.calls]);
    if (nodes.length === 0)
      nodes.push(
        element('li', {class: 'empty'}, t`There is no vote and no question up to this moment.`),
      );
    const {children} = list;
    if (nodes.length === children.length && nodes.every((node, at) => node === children[at]))
      return;
    const hadFocus = list.contains(document.activeElement);
    list.replaceChildren(...nodes);
    if (hadFocus) body.focus({preventScroll: true});
  };
  calls.onChange(() => show(stage.view()));
  return {element: element('section', {class: 'panel votes'}, body), show};
};

const noCalls: Shown['calls'] = [];

/** The latest ones; earlier ones are shown at earlier moments. */
const maxItems = 40;

interface Item {
  /** Of the step that began it. */
  readonly index: number;
  /** Changes when it has to be drawn again. */
  readonly key: string;
  readonly draw: () => HTMLElement;
}

function itemsIn(shown: Shown): readonly Item[] {
  const {moments, index: now} = shown.view;
  const views = viewsOf(moments);
  const rounds = roundsAt(views, now, maxItems).map((placed) => {
    const {began, cast, decided, round} = placed;
    const key = JSON.stringify([began, round.actor, decided, cast, cast.indexOf(now)]);
    return {index: began, key, draw: () => roundItem(placed, shown)};
  });
  const gates = gatesAt(views, now).map((placed) => ({
    index: placed.asked,
    key: JSON.stringify(placed),
    draw: () => gateItem(placed, shown),
  }));
  return [...rounds, ...gates].toSorted((one, other) => other.index - one.index).slice(0, maxItems);
}
/** An item that has not changed keeps its element, with its open parts. */
function keptItems(): (items: readonly Item[], basis: readonly unknown[]) => HTMLElement[] {
  let drawn = new Map<string, HTMLElement>();
  let drawnFor: readonly unknown[] = [];
  return (items, basis) => {
    const isSame = basis.every((each, at) => each === drawnFor[at]);
    const before = isSame ? drawn : new Map<string, HTMLElement>();
    drawnFor = basis;
    drawn = new Map(items.map(({key, draw}) => [key, before.get(key) ?? draw()]));
    return [...drawn.values()];
  };
}

function roundItem(placed: PlacedRound, shown: Shown): HTMLElement {
  const {title, kind, round: number, seats, votes, decided: record} = placed.round;
  // In the order of the configuration; ballots of unknown seats are last.
  const all = [...new Set([...seats, ...votes.map(({model}) => model)])];
  return element(
    'li',
    {class: `round ${record?.verdict ?? ''}`},
    element(
      'div',
      {class: 'round-head'},
      textSpan('badge', kind),
      element('h2', {class: 'round-title'}, safeLine(title)),
      textSpan('muted', t`round ${number}`),
      outcomeOf(record),
      momentLink(placed.decided < 0 ? placed.began : placed.decided, shown),
    ),
    ...termsOf(placed.round),
    callsOf(record?.calls),
    element('ul', {class: 'ballots'}, ...all.map((seat) => seatItem(seat, placed, shown))),
    screenings(record?.screened),
  );
}

function termsOf({rule, decided}: RoundView): HTMLElement[] {
  const {early = false, degraded = false, vetoes = []} = decided ?? {};
  const facts = [
    `${t`Rule`}: ${rule}`,
    ...(early ? [t`ended early`] : []),
    ...(degraded ? [t`decided with fewer votes than asked for`] : []),
  ];
  return [
    element('p', {class: 'muted'}, safeLine(facts.join(' · '))),
    ...(vetoes.length > 0 ? [labelled(t`Veto:`, vetoes.join(', '))] : []),
  ];
}

/** For several calls: the decision on each. */
function callsOf(calls: readonly CallDecision[] = []): HTMLElement | undefined {
  const texts = calls.map(
    ({title, verdict}, at) => `${at + 1}. ${title} (${outcomeWords[verdict]})`,
  );
  return texts.length > 0 ? labelled(t`Calls:`, texts.join(' · ')) : undefined;
}

function outcomeOf(record: ReviewRound | undefined): HTMLElement {
  if (!record) return element('span', {class: 'badge changed'}, outcomeWords.open);
  const {verdict, approved, summary} = record;
  return element(
    'span',
    {class: `badge ${approved ? 'accent' : 'alarm'}`},
    outcomeWords[verdict],
    ' ',
    element('span', {class: 'mono', 'aria-hidden': 'true'}, safeLine(summary)),
  );
}

function gateItem({question, decision, asked, decided}: PlacedGate, shown: Shown): HTMLElement {
  return element(
    'li',
    {class: 'round gate'},
    element(
      'div',
      {class: 'round-head'},
      textSpan('badge', t`Question to a person`),
      decision
        ? element(
            'span',
            {class: 'badge accent'},
            `${t`Decision`}: `,
            safeLine(word(decision.decision)),
          )
        : textSpan('badge changed', t`no decision yet`),
      momentLink(decided ?? asked, shown),
    ),
    question ? questionDetails(question) : labelled('', decision?.title ?? ''),
    ...(decision ? decisionTexts(decision) : []),
  );
}

function decisionTexts({by, reason, plan}: NonNullable<PlacedGate['decision']>): HTMLElement[] {
  const tree = plan ? createJsonTree(t`Decision`) : undefined;
  if (plan) tree?.show(plan);
  return [
    labelled(`${t`by`}:`, by),
    ...(reason === undefined ? [] : [element('p', {class: 'reason'}, safeText(reason))]),
    ...(tree ? [tree.element] : []),
  ];
}
