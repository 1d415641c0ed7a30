/** All model calls up to the shown moment, and the selected one: its prompt as it was sent, and its reply. */

import type {Usage} from '../../../../../machines/domain/model.ts';
import type {ModelCall} from '../../../../../machines/trace/step.ts';
import {escapeLine} from '../../../../../tools/escape.ts';
import {element} from '../../../../serve/page/browser/element.ts';
import {callsAt, totalsOf} from '../derived/calls.ts';
import {textIn} from '../derived/members.ts';
import {dollars, duration, grouped} from '../elements/formatting.ts';
import {safeLine, textSpan} from '../elements/safe-text.ts';
import {type RowContent, WindowedList} from '../elements/windowed-list.ts';
import {t} from '../language.ts';
import {callStore} from '../sources/call-store.ts';
import type {MakePanel, Panel, Stage, View} from '../stage.ts';
import {placeName} from './names.ts';
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

export function totalsText(calls: readonly ModelCall[]): string {
  const totals = totalsOf(calls);
  return [
    calls.length === 1 ? t`1 call` : t`${grouped(calls.length)} calls`,
    ...usageTexts({costUsd: 0, ...totals}),
    totals.isCostPartial ? t`some prices are not known` : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

function usageTexts({inputTokens, outputTokens, cachedTokens, costUsd}: Usage): string[] {
  return [
    `${grouped(inputTokens)} ${t`in`}`,
    `${grouped(outputTokens)} ${t`out`}`,
    cachedTokens > 0 ? `${grouped(cachedTokens)} ${t`cached`}` : '',
    costUsd === undefined ? '' : dollars(costUsd),
  ];
}

function drawRow(call: ModelCall | undefined): RowContent {
  if (!call) return {content: []};
  const {purpose, model, actor, settled, outcome} = call;
  const kind = settled === undefined ? t`in flight` : (textIn(outcome, 'kind') ?? '');
  return {
    className: `call ${kind === 'ok' || settled === undefined ? '' : 'failed'}`,
    content: [
      textSpan('call-purpose strong', purpose),
      textSpan('call-model cut', model),
      textSpan('call-kind', kind),
      element(
        'span',
        {class: 'call-actor cut muted', title: escapeLine(actor)},
        safeLine(placeName(actor)),
      ),
      element('span', {class: 'call-usage number muted'}, usageText(call)),
    ],
  };
}

function usageText({usage, ms}: ModelCall): string {
  return [...(usage ? usageTexts(usage) : []), ms === undefined ? '' : duration(ms)]
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
