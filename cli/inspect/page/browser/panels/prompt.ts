/** One model call: its prompt part by part, the request as it was sent, and the reply. */

import type {Json, JsonObject} from '../../../../../machines/domain/json.ts';
import type {ModelCall, PromptPart} from '../../../../../machines/trace/view.ts';
import {button, element} from '../../../../serve/page/browser/element.ts';
import {objectIn, objectsIn, textIn} from '../derived/members.ts';
import {copyButton} from '../elements/copying.ts';
import {clockTime, grouped} from '../elements/formatting.ts';
import {createJsonTree} from '../elements/json-tree.ts';
import {safeBlock, safeLine, safeText} from '../elements/safe-text.ts';
import {localized} from '../language.ts';
import type {Stage} from '../stage.ts';

const words = localized({
  en: {
    prompt: 'Prompt',
    reply: 'Reply',
    body: 'Request body as JSON',
    outcome: 'Outcome as JSON',
    roles: {
      system: 'system',
      user: 'user',
      assistant: 'assistant',
      tool: 'tool result',
      tools: 'offered tool',
    },
    actor: 'Select its actor',
    requested: 'Requested at',
    settled: 'settled at',
    entry: (seq: number) => `entry ${seq}`,
    none: 'There is no reply up to this moment.',
    calls: 'calls',
    failed: 'failed:',
    empty: '(empty)',
    characters: (count: number) => `${grouped(count)} characters`,
    showAll: (length: number) => `show all ${grouped(length)} characters`,
  },
  ja: {
    prompt: 'プロンプト',
    reply: '応答',
    body: 'リクエスト本文の JSON',
    outcome: '結果の JSON',
    roles: {
      system: 'システム',
      user: 'ユーザー',
      assistant: 'アシスタント',
      tool: 'ツールの結果',
      tools: '提供ツール',
    },
    actor: 'このアクターを選ぶ',
    requested: '要求:',
    settled: '確定:',
    entry: (seq: number) => `エントリー ${seq}`,
    none: 'この時点までに応答はありません。',
    calls: '呼び出し',
    failed: '失敗:',
    empty: '(空)',
    characters: (count: number) => `${grouped(count)} 文字`,
    showAll: (length: number) => `全 ${grouped(length)} 文字を表示`,
  },
});

export function drawCall(call: ModelCall, stage: Stage): HTMLElement[] {
  const {prompt, body, outcome} = call;
  return [
    callPlaces(call, stage),
    element('h2', {}, words.prompt),
    ...prompt.map((part) => partBlock(part, stage)),
    ...(body === undefined ? [] : [jsonBlock(words.body, () => body, stage)]),
    element('h2', {}, words.reply),
    ...(outcome ? replyBlocks(outcome, stage) : [element('p', {class: 'muted'}, words.none)]),
  ];
}

function callPlaces({actor, requested, settled}: ModelCall, stage: Stage): HTMLElement {
  const link = (seq: number): HTMLElement =>
    button(words.entry(seq), {class: 'link'}, () => stage.goTo(stage.view().moments.indexOf(seq)));
  const select = button('', {class: 'link mono', title: words.actor}, () => stage.select(actor));
  select.append(safeLine(actor));
  const at = (seq: number): string => {
    const {moments} = stage.view();
    const step = moments.steps[moments.indexOf(seq)];
    return step ? ` · ${clockTime(step.at)}` : '';
  };
  return element(
    'div',
    {class: 'call-places'},
    select,
    element('p', {class: 'muted'}, `${words.requested} `, link(requested), at(requested)),
    settled === undefined
      ? undefined
      : element('p', {class: 'muted'}, `${words.settled} `, link(settled), at(settled)),
  );
}

/** Offered tools are closed at first: there are many, and they are the same in most calls. */
function partBlock({role, name, text}: PromptPart, {notify}: Stage): HTMLElement {
  const title = words.roles[role];
  const holder = element('div');
  const details = element(
    'details',
    {class: `prompt-part ${role}`},
    element(
      'summary',
      {},
      element('span', {class: 'strong'}, title),
      name === undefined ? undefined : element('span', {class: 'mono'}, ' ', safeLine(name)),
      element('span', {class: 'muted number'}, ` · ${words.characters(text.length)}`),
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
      text === '' ? element('p', {class: 'muted'}, words.empty) : safeBlock(text, words.showAll),
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
    words.failed,
    ' ',
    element('span', {class: 'strong'}, safeLine(kind ?? '')),
    ' ',
    safeText(textIn(outcome, 'message') ?? ''),
  );
  return [
    ...(kind === 'ok' ? [] : [failure]),
    ...(text === '' ? [] : [replyText(text, stage)]),
    ...objectsIn(outcome, 'calls').map(toolCall),
    jsonBlock(words.outcome, () => outcome, stage),
  ];
}

function replyText(text: string, {notify}: Stage): HTMLElement {
  return element(
    'div',
    {class: 'prompt-part assistant'},
    element(
      'div',
      {class: 'part-tools'},
      copyButton(words.reply, () => text, notify),
    ),
    safeBlock(text, words.showAll),
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
    element('p', {}, `${words.calls} `, element('span', {class: 'mono strong'}, safeLine(name))),
    tree.element,
    problem === undefined ? undefined : element('p', {class: 'notice alarm'}, safeText(problem)),
  );
}
