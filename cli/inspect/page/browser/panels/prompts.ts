/** All model calls up to the shown moment, and the selected one: its prompt as it was sent, and its reply. */

import type {ModelCall} from '../../../../../machines/trace/step.ts';
import {element} from '../../../../serve/page/browser/element.ts';
import {callsAt, totalsOf} from '../derived/calls.ts';
import {textIn} from '../derived/members.ts';
import {dollars, duration, grouped, shortPath} from '../elements/formatting.ts';
import {safeLine} from '../elements/safe-text.ts';
import {type RowContent, WindowedList} from '../elements/windowed-list.ts';
import {t} from '../language.ts';
import {callStore} from '../sources/call-store.ts';
import type {MakePanel, Panel, Stage, View} from '../stage.ts';
import {drawCall} from './prompt.ts';

export const promptsPanel: MakePanel = (stage) => {
  const store = callStore(stage);
  let calls: readonly ModelCall[] = [];
  const totals = element('p', {class: 'panel-head number call-totals'});
  const message = element('p', {class: 'empty'});
  const list = new WindowedList({
    label: t`Model calls`,
    name: 'call',
    draw: (row) => drawRow(calls[row]),
    choose: (row) => {
      const call = calls[row];
      if (call) stage.openCall(call.key);
    },
  });
  const detail = callDetail(stage);
  const show = (view: View): void => {
    const loaded = store.of(view);
    const seq = view.moments.steps[view.index]?.seq ?? -1;
    calls = callsAt(loaded ?? [], seq);
    totals.textContent = totalsText(calls);
    totals.hidden = calls.length === 0;
    message.hidden = calls.length > 0;
    message.textContent = loaded
      ? t`No model has been called up to this moment.`
      : (store.problem() ?? t`Loading the calls …`);
    list.element.hidden = calls.length === 0;
    const selected = calls.findIndex(({key}) => key === view.call);
    const settled = calls.filter((call) => call.settled !== undefined).length;
    list.show({
      count: calls.length,
      shown: selected < 0 ? undefined : selected,
      version: `${view.head.id} ${calls.length} ${settled}`,
    });
    detail.show(calls[selected]);
  };
  store.onChange(() => show(stage.view()));
  const split = element('div', {class: 'split'}, list.element, detail.element);
  return {
    element: element('section', {class: 'panel prompts'}, totals, message, split),
    show,
  };
};

function totalsText(calls: readonly ModelCall[]): string {
  const {inputTokens, outputTokens, cachedTokens, costUsd, isCostPartial} = totalsOf(calls);
  return [
    calls.length === 1 ? t`1 call` : t`${grouped(calls.length)} calls`,
    `${grouped(inputTokens)} ${t`in`}`,
    `${grouped(outputTokens)} ${t`out`}`,
    cachedTokens > 0 ? `${grouped(cachedTokens)} ${t`cached`}` : '',
    dollars(costUsd),
    isCostPartial ? t`some prices are not known` : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

function drawRow(call: ModelCall | undefined): RowContent {
  if (!call) return {content: []};
  const {purpose, model, actor, settled, outcome} = call;
  const kind = settled === undefined ? t`in flight` : (textIn(outcome, 'kind') ?? '');
  return {
    className: `call ${kind === 'ok' || settled === undefined ? '' : 'failed'}`,
    content: [
      element('span', {class: 'call-purpose strong'}, safeLine(purpose)),
      element('span', {class: 'call-model cut'}, safeLine(model)),
      element('span', {class: 'call-kind'}, safeLine(kind)),
      element('span', {class: 'call-actor cut muted'}, safeLine(shortPath(actor))),
      element('span', {class: 'call-usage number muted'}, usageText(call)),
    ],
  };
}

function usageText({usage, ms}: ModelCall): string {
  return [
    usage ? `${grouped(usage.inputTokens)} ${t`in`}` : '',
    usage ? `${grouped(usage.outputTokens)} ${t`out`}` : '',
    usage && usage.cachedTokens > 0 ? `${grouped(usage.cachedTokens)} ${t`cached`}` : '',
    usage?.costUsd === undefined ? '' : dollars(usage.costUsd),
    ms === undefined ? '' : duration(ms),
  ]
    .filter(Boolean)
    .join(' · ');
}

interface Detail {
  readonly element: Panel['element'];
  readonly show: (call: ModelCall | undefined) => void;
}

/** Drawn again only for another call, or when the outcome has arrived: what is open in it stays open. */
function callDetail(stage: Stage): Detail {
  const body = element('div', {
    class: 'panel-body call-detail',
    tabindex: 0,
    role: 'region',
    'aria-label': t`The selected call`,
  });
  let drawn = '';
  let shown = '';
  return {
    element: body,
    show: (call) => {
      const name = call ? `${call.key} ${call.requested}` : '';
      const state = `${name} ${call?.settled}`;
      if (state === drawn) return;
      drawn = state;
      body.replaceChildren(
        ...(call
          ? drawCall(call, stage)
          : [element('p', {class: 'empty'}, t`Select a call to read its prompt and its reply.`)]),
      );
      if (name !== shown && name !== '') bringIntoView(body);
      shown = name;
    },
  };
}

/** A link to the call was perhaps in a panel that is hidden now, and had the focus. */
function bringIntoView(body: HTMLElement): void {
  body.scrollTop = 0;
  body.scrollIntoView({block: 'nearest'});
  const {activeElement} = document;
  const isLost = activeElement === document.body || activeElement?.checkVisibility() !== true;
  if (isLost) body.focus({preventScroll: true});
}
