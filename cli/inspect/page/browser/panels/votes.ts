/** The rounds of votes up to the shown moment, with every ballot, and the questions to a person with their decisions. */

import type {HumanQuestion} from '../../../../../machines/domain/human.ts';
import {asJson} from '../../../../../machines/domain/json.ts';
import type {Plan} from '../../../../../machines/domain/plan.ts';
import {
  type CallDecision,
  type ModelVote,
  type ReviewRound,
  type Screening,
  verdictMarks,
} from '../../../../../machines/domain/review.ts';
import type {ModelCall} from '../../../../../machines/trace/step.ts';
import type {RoundView} from '../../../../render/view/run-view.ts';
import {button, element} from '../../../../serve/page/browser/element.ts';
import {
  callOfBallot,
  gatesAt,
  type PlacedGate,
  type PlacedRound,
  roundsAt,
  viewsOf,
} from '../derived/fold.ts';
import {createJsonTree, safeBlock, safeLine, safeText, textSpan} from '../elements/values.ts';
import {duration, grouped, t, word} from '../language.ts';
import {callStore} from '../sources/loaded.ts';
import type {MakePanel, Stage, View} from '../stage.ts';

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

// The ballots of a vote, with their reasons, and the links to the moment and to the prompt of each.

const verdictWords = {approve: t`approves`, reject: t`rejects`, abstain: t`abstains`};

interface Shown {
  readonly stage: Stage;
  readonly view: View;
  readonly calls: readonly ModelCall[];
}

function seatItem(seat: string, placed: PlacedRound, shown: Shown): HTMLElement {
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

function labelled(label: string, text: string): HTMLElement {
  return element('p', {}, element('span', {class: 'muted'}, label), ' ', safeText(text));
}

function screenings(screened: readonly Screening[] = []): HTMLElement | undefined {
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

function momentLink(index: number, {stage, view}: Shown): HTMLElement {
  const seq = view.moments.steps[index]?.seq ?? 0;
  return button(`${t`Entry`} ${seq}`, {class: 'link'}, () => stage.goTo(index));
}

// A question to a person: why it is asked, and what is decided.

const showAll = (length: number): string => t`show all ${grouped(length)} characters`;

function questionDetails({reason, plan, preview}: HumanQuestion): HTMLElement {
  return element(
    'div',
    {class: 'question'},
    element('p', {class: 'strong'}, safeText(reason)),
    plan ? planDetails(plan) : undefined,
    preview === undefined ? undefined : previewBlock(preview),
  );
}

function planDetails(plan: Plan): HTMLElement {
  const tasks = plan.tasks.map(({id, description, tool = '', depends_on: needs = []}) => {
    const facts = [tool, needs.length > 0 ? `${t`after{:needs}`} ${needs.join(', ')}` : ''];
    return element(
      'li',
      {},
      textSpan('mono', id),
      ' ',
      safeText(description),
      element('span', {class: 'muted'}, ' ', safeLine(facts.filter(Boolean).join(' · '))),
    );
  });
  const tree = createJsonTree(t`The whole plan as JSON`);
  tree.show(asJson(plan));
  return element(
    'div',
    {class: 'plan'},
    element('p', {}, safeText(plan.objective)),
    element('ol', {class: 'tasks', 'aria-label': t`Plan`}, ...tasks),
    element('details', {}, element('summary', {}, t`The whole plan as JSON`), tree.element),
  );
}

/** Lines of a diff are coloured. */
function previewBlock(preview: string): HTMLElement {
  const isDiff = /^(?:--- |@@ )/m.test(preview);
  const block = isDiff ? diffBlock(preview) : safeBlock(preview, showAll);
  return element('figure', {class: 'preview', 'aria-label': t`Subject`}, block);
}

const maxDiffLines = 400;

function diffBlock(diff: string): HTMLElement {
  const lines = diff.split('\n');
  const drawn = lines.slice(0, maxDiffLines).map((line) => {
    const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : '';
    return element('span', {class: `diff-line ${kind}`}, safeText(line), '\n');
  });
  const rest = lines.slice(maxDiffLines).join('\n');
  return element(
    'pre',
    {class: 'text-block'},
    ...drawn,
    rest === '' ? undefined : safeBlock(rest, showAll),
  );
}
