/** The rounds of votes up to the shown moment, with every ballot, and the questions to a person with their decisions. */

import type {JsonObject} from '../../../../../machines/domain/json.ts';
import {element} from '../../../../serve/page/browser/element.ts';
import {type Gate, gatesOf} from '../derived/gates.ts';
import {objectIn, objectsIn, textIn, textsIn} from '../derived/members.ts';
import {type Round, roundsAt, roundsOf} from '../derived/rounds.ts';
import {createJsonTree} from '../elements/json-tree.ts';
import {safeLine, safeText} from '../elements/safe-text.ts';
import {t} from '../language.ts';
import {callStore} from '../sources/call-store.ts';
import type {MakePanel, View} from '../stage.ts';
import {labelled, momentLink, screenings, seatItem, type Shown} from './ballots.ts';
import {questionDetails} from './question.ts';

const outcomeWords: Readonly<Record<string, string>> = {
  approved: t`approved`,
  rejected: t`rejected`,
  noQuorum: t`no quorum`,
};

export const votesPanel: MakePanel = (stage) => {
  const list = element('ol', {class: 'rounds'});
  const attributes = {class: 'panel-body', tabindex: 0, role: 'region', 'aria-label': t`Votes`};
  const body = element('div', attributes, list);
  const calls = callStore(stage);
  const kept = keptItems();
  const show = (view: View): void => {
    const shown: Shown = {stage, view, calls: calls.of(view) ?? noCalls};
    const items = [...roundsIn(shown), ...gatesIn(shown)]
      .toSorted((one, other) => other.index - one.index)
      .slice(0, maxItems);
    const nodes = kept(items, [view.moments, shown.calls]);
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

function roundsIn(shown: Shown): Item[] {
  const {moments, index: now} = shown.view;
  const begun = roundsOf(moments).filter(({index}) => index <= now);
  return roundsAt(begun.slice(-maxItems), now).map((round) => {
    const ballots = round.ballots.map(({index}) => (index === now ? 'new' : index));
    const key = JSON.stringify([round.index, round.actor, ballots, round.decided !== undefined]);
    return {index: round.index, key, draw: () => roundItem(round, shown)};
  });
}

function gatesIn(shown: Shown): Item[] {
  const {moments, index: now} = shown.view;
  const asked = gatesOf(moments).filter(({index}) => index <= now);
  return asked.slice(-maxItems).map((gate) => {
    const isDecided = gate.decided !== undefined && gate.decided.index <= now;
    const key = JSON.stringify([
      gate.gate,
      gate.index,
      textIn(gate.question, 'proposalHash'),
      isDecided,
    ]);
    return {index: gate.index, key, draw: () => gateItem(gate, shown)};
  });
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

function roundItem(round: Round, shown: Shown): HTMLElement {
  const {title, kind, rule, number, decided} = round;
  const record = decided?.record;
  const verdict = textIn(record, 'verdict') ?? '';
  const facts = [
    `${t`Rule`}: ${rule}`,
    ...(record?.['early'] === true ? [t`ended early`] : []),
    ...(record?.['degraded'] === true ? [t`decided with fewer votes than asked for`] : []),
  ];
  const vetoes = textsIn(record, 'vetoes');
  return element(
    'li',
    {class: `round ${verdict}`},
    element(
      'div',
      {class: 'round-head'},
      element('span', {class: 'badge'}, safeLine(kind)),
      element('h2', {class: 'round-title'}, safeLine(title)),
      element('span', {class: 'muted'}, t`round ${number}`),
      outcomeOf(record),
      momentLink(decided?.index ?? round.index, shown),
    ),
    element('p', {class: 'muted'}, safeLine(facts.join(' · '))),
    vetoes.length > 0 ? labelled(t`Veto:`, vetoes.join(', ')) : undefined,
    callsOf(record),
    element(
      'ul',
      {class: 'ballots'},
      ...seatsOf(round).map((seat) => seatItem(seat, round, shown)),
    ),
    screenings(objectsIn(record, 'screened')),
  );
}

/** For several calls: the decision on each. */
function callsOf(record: JsonObject | undefined): HTMLElement | undefined {
  const calls = objectsIn(record, 'calls').map(
    (call, at) => `${at + 1}. ${textIn(call, 'title') ?? ''} (${verdictWord(call)})`,
  );
  return calls.length > 0 ? labelled(t`Calls:`, calls.join(' · ')) : undefined;
}

function verdictWord(call: JsonObject): string {
  const verdict = textIn(call, 'verdict') ?? '';
  return verdict === 'open' ? t`open` : (outcomeWords[verdict] ?? verdict);
}

function outcomeOf(record: JsonObject | undefined): HTMLElement {
  if (!record) return element('span', {class: 'badge changed'}, t`open`);
  const verdict = textIn(record, 'verdict') ?? '';
  const isApproved = record['approved'] === true;
  return element(
    'span',
    {class: `badge ${isApproved ? 'accent' : 'alarm'}`},
    outcomeWords[verdict] ?? verdict,
    ' ',
    element(
      'span',
      {class: 'mono', 'aria-hidden': 'true'},
      safeLine(textIn(record, 'summary') ?? ''),
    ),
  );
}

/** In the order of the configuration; ballots of unknown seats are last. */
function seatsOf({seats, ballots}: Round): string[] {
  const voted = ballots.map(({vote}) => textIn(vote, 'model') ?? '');
  return [...new Set([...seats, ...voted])];
}

function gateItem(gate: Gate, shown: Shown): HTMLElement {
  const {question, decided, index} = gate;
  const decision = decided && decided.index <= shown.view.index ? decided.decision : undefined;
  const name = textIn(decision, 'decision');
  return element(
    'li',
    {class: 'round gate'},
    element(
      'div',
      {class: 'round-head'},
      element('span', {class: 'badge'}, t`Question to a person`),
      name === undefined
        ? element('span', {class: 'badge changed'}, t`no decision yet`)
        : element('span', {class: 'badge accent'}, `${t`Decision`}: `, safeLine(name)),
      momentLink(decision ? (decided?.index ?? index) : index, shown),
    ),
    question ? questionDetails(question) : labelled('', textIn(decision, 'title') ?? ''),
    ...decisionTexts(decision),
  );
}

function decisionTexts(decision: JsonObject | undefined): HTMLElement[] {
  const reason = textIn(decision, 'reason');
  const by = textIn(decision, 'by');
  const plan = objectIn(decision, 'plan');
  return [
    ...(by === undefined ? [] : [labelled(`${t`by`}:`, by)]),
    ...(reason === undefined ? [] : [element('p', {class: 'reason'}, safeText(reason))]),
    ...(plan ? [planTree(plan)] : []),
  ];
}

function planTree(plan: JsonObject): HTMLElement {
  const tree = createJsonTree(t`Decision`);
  tree.show(plan);
  return tree.element;
}
