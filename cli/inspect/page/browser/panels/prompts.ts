/** All model calls up to the shown moment, and the selected one: its prompt as it was sent, part by part, and its reply. */

import type {Json, JsonObject} from '../../../../../machines/domain/json.ts';
import type {Usage} from '../../../../../machines/domain/model.ts';
import type {ModelCall, PromptPart} from '../../../../../machines/trace/step.ts';
import {escapeLine} from '../../../../../tools/escape.ts';
import {button, element} from '../../../../serve/page/browser/element.ts';
import {callsAt, objectIn, objectsIn, textIn, totalsOf} from '../derived/fold.ts';
import {
  copyButton,
  createJsonTree,
  safeBlock,
  safeLine,
  safeText,
  textSpan,
} from '../elements/values.ts';
import {type RowContent, WindowedList} from '../elements/windowed-list.ts';
import {clockTime, dollars, duration, grouped, t} from '../language.ts';
import {callStore} from '../sources/loaded.ts';
import type {MakePanel, Panel, Stage, View} from '../stage.ts';
import {placeName} from './names.ts';

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

// One model call: its prompt part by part, the request as it was sent, and the reply.

const roles = {
  system: t`system`,
  user: t`user`,
  assistant: t`assistant`,
  tool: t`tool result`,
  tools: t`offered tool`,
};

const showAll = (length: number): string => t`show all ${grouped(length)} characters`;

function drawCall(call: ModelCall, stage: Stage): HTMLElement[] {
  const {prompt, body, outcome} = call;
  return [
    callPlaces(call, stage),
    element('h2', {}, t`Prompt`),
    ...prompt.map((part) => partBlock(part, stage)),
    ...(body === undefined ? [] : [jsonBlock(t`Request body as JSON`, () => body, stage)]),
    element('h2', {}, t`Reply`),
    ...(outcome
      ? replyBlocks(outcome, stage)
      : [element('p', {class: 'muted'}, t`There is no reply up to this moment.`)]),
  ];
}

function callPlaces({actor, requested, settled}: ModelCall, stage: Stage): HTMLElement {
  const link = (seq: number): HTMLElement =>
    button(t`entry ${seq}`, {class: 'link'}, () => stage.goTo(stage.view().moments.indexOf(seq)));
  const select = button(
    '',
    {class: 'link', title: `${t`Select its actor`}: ${escapeLine(actor)}`},
    () => stage.select(actor),
  );
  select.append(safeLine(placeName(actor)));
  const at = (seq: number): string => {
    const {moments} = stage.view();
    const step = moments.steps[moments.indexOf(seq)];
    return step ? ` · ${clockTime(step.at)}` : '';
  };
  return element(
    'div',
    {class: 'call-places'},
    select,
    element('p', {class: 'muted'}, `${t`Requested at`} `, link(requested), at(requested)),
    settled === undefined
      ? undefined
      : element('p', {class: 'muted'}, `${t`settled at`} `, link(settled), at(settled)),
  );
}

/** Offered tools are closed at first: there are many, and they are the same in most calls. */
function partBlock({role, name, text}: PromptPart, {notify}: Stage): HTMLElement {
  const title = roles[role];
  const holder = element('div');
  const details = element(
    'details',
    {class: `prompt-part ${role}`},
    element(
      'summary',
      {},
      element('span', {class: 'strong'}, title),
      name === undefined ? undefined : element('span', {class: 'mono'}, ' ', safeLine(name)),
      element('span', {class: 'muted number'}, ` · ${t`${grouped(text.length)} characters`}`),
    ),
    element(
      'div',
      {class: 'part-tools'},
      copyButton(`${title} ${name ?? ''}`, () => text, notify),
    ),
    holder,
  );
  const fill = (): void => {
    if (!details.open || holder.childElementCount > 0) return;
    holder.append(
      text === '' ? element('p', {class: 'muted'}, t`(empty)`) : safeBlock(text, showAll),
    );
  };
  details.open = role !== 'tools';
  fill();
  details.addEventListener('toggle', fill);
  return details;
}

/** Built when it is opened. */
function jsonBlock(title: string, value: () => Json, {notify}: Stage): HTMLElement {
  const tree = createJsonTree(title, 2);
  const details = element(
    'details',
    {class: 'prompt-part json-part'},
    element('summary', {}, title),
    element(
      'div',
      {class: 'part-tools'},
      copyButton(title, () => JSON.stringify(value(), undefined, 2), notify),
    ),
    tree.element,
  );
  details.addEventListener('toggle', () => {
    if (details.open && tree.element.childElementCount === 0) tree.show(value());
  });
  return details;
}

function replyBlocks(outcome: JsonObject, stage: Stage): HTMLElement[] {
  const kind = textIn(outcome, 'kind');
  const text = textIn(outcome, 'text') ?? '';
  const failure = element(
    'p',
    {class: 'notice alarm'},
    t`failed:`,
    ' ',
    textSpan('strong', kind ?? ''),
    ' ',
    safeText(textIn(outcome, 'message') ?? ''),
  );
  return [
    ...(kind === 'ok' ? [] : [failure]),
    ...(text === '' ? [] : [replyText(text, stage)]),
    ...objectsIn(outcome, 'calls').map(toolCall),
    jsonBlock(t`Outcome as JSON`, () => outcome, stage),
  ];
}

function replyText(text: string, {notify}: Stage): HTMLElement {
  return element(
    'div',
    {class: 'prompt-part assistant'},
    element(
      'div',
      {class: 'part-tools'},
      copyButton(t`Reply`, () => text, notify),
    ),
    safeBlock(text, showAll),
  );
}

function toolCall(call: JsonObject): HTMLElement {
  const name = textIn(call, 'name') ?? '';
  const problem = textIn(call, 'problem');
  const tree = createJsonTree(name, 2);
  tree.show(objectIn(call, 'args') ?? {});
  return element(
    'div',
    {class: 'prompt-part tool-call'},
    element('p', {}, `${t`calls`} `, textSpan('mono strong', name)),
    tree.element,
    problem === undefined ? undefined : element('p', {class: 'notice alarm'}, safeText(problem)),
  );
}
