/** One model call: its prompt part by part, the request as it was sent, and the reply. */

import type {Json, JsonObject} from '../../../../../machines/domain/json.ts';
import type {ModelCall, PromptPart} from '../../../../../machines/trace/step.ts';
import {escapeLine} from '../../../../../tools/escape.ts';
import {button, element} from '../../../../serve/page/browser/element.ts';
import {objectIn, objectsIn, textIn} from '../derived/members.ts';
import {copyButton} from '../elements/copying.ts';
import {clockTime, grouped} from '../elements/formatting.ts';
import {createJsonTree} from '../elements/json-tree.ts';
import {safeBlock, safeLine, safeText, textSpan} from '../elements/safe-text.ts';
import {t} from '../language.ts';
import type {Stage} from '../stage.ts';
import {placeName} from './names.ts';

const roles = {
  system: t`system`,
  user: t`user`,
  assistant: t`assistant`,
  tool: t`tool result`,
  tools: t`offered tool`,
};

const showAll = (length: number): string => t`show all ${grouped(length)} characters`;

export function drawCall(call: ModelCall, stage: Stage): HTMLElement[] {
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
