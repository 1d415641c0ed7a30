/** Breakpoints: the kinds of effects before which the run is held, and the release of a hold. */

import {button, element} from '../../../../serve/page/browser/element.ts';
import {requestsOf} from '../derived/entry-line.ts';
import {textIn} from '../derived/members.ts';
import {type Hold, openHold, waitingOf} from '../derived/open-questions.ts';
import {safeLine} from '../elements/safe-text.ts';
import {localized} from '../language.ts';
import type {MakePanel, View} from '../stage.ts';
import {createAttempt, sendEvent} from './sending.ts';

const words = localized({
  en: {
    title: 'Breakpoints',
    hint: 'The run is held before the next effect of a chosen kind.',
    ports: {
      callModel: 'model call',
      runTool: 'tool',
      askHuman: 'question to a person',
    },
    tools: 'Tools by name, separated by commas',
    set: 'Set',
    saved: 'The breakpoints were set.',
    held: 'The run is held before',
    proceed: 'Continue',
    released: 'The run continues.',
  },
  ja: {
    title: 'ブレークポイント',
    hint: '選んだ種類の次の処理の前で実行を止めます。',
    ports: {
      callModel: 'モデルの呼び出し',
      runTool: 'ツール',
      askHuman: '人への質問',
    },
    tools: 'ツール名（カンマ区切り）',
    set: '設定',
    saved: 'ブレークポイントを設定しました。',
    held: '次の処理の前で止まっています:',
    proceed: '続ける',
    released: '実行を続けます。',
  },
});

const ports = ['callModel', 'runTool', 'askHuman'] as const;

export const breakpointForm: MakePanel = (stage) => {
  const boxes = ports.map((port) => {
    const box = element('input', {type: 'checkbox', value: port});
    return {port, box, label: element('label', {class: 'check'}, box, words.ports[port])};
  });
  const tools = element('input', {type: 'text', autocomplete: 'off', spellcheck: 'false'});
  const attempt = createAttempt(() => form);
  const form = element(
    'form',
    {class: 'control-form'},
    element('h2', {}, words.title),
    element('p', {class: 'muted'}, words.hint),
    element(
      'div',
      {class: 'row', role: 'group', 'aria-label': words.title},
      ...boxes.map(({label}) => label),
    ),
    element('label', {class: 'field'}, element('span', {}, words.tools), tools),
    element('div', {class: 'row'}, element('button', {type: 'submit'}, words.set)),
    attempt.problem,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const named = tools.value.split(/[,、\s]+/).filter((name) => name !== '');
    const chosen = boxes.filter(({box}) => box.checked).map(({port}) => port);
    const before = [...new Set([...chosen, ...named])];
    void attempt.run(() =>
      sendEvent(stage, {type: 'breakpoints.changed', before}, {sent: words.saved}),
    );
  });
  let drawn = '';
  return {
    element: form,
    show: ({head: {id, breakpoints}}) => {
      const key = JSON.stringify([id, breakpoints]);
      if (key === drawn) return;
      drawn = key;
      for (const {port, box} of boxes) box.checked = breakpoints.includes(port);
      const others = breakpoints.filter((name) => !ports.some((port) => port === name));
      tools.value = others.join(', ');
    },
  };
};

export const heldNotice: MakePanel = (stage) => {
  const text = element('p', {class: 'strong'});
  const attempt = createAttempt(() => section);
  const proceed = (): void => {
    void attempt.run(() => sendEvent(stage, {type: 'run.released'}, {sent: words.released}));
  };
  const section: HTMLElement = element(
    'section',
    {class: 'control-form held'},
    text,
    element('div', {class: 'row'}, button(words.proceed, {class: 'primary'}, proceed)),
    attempt.problem,
  );
  return {
    element: section,
    show: (view) => {
      const hold = holdNow(view);
      section.hidden = hold === undefined;
      if (hold) text.replaceChildren(`${words.held} `, safeLine(holdText(hold, view)));
    },
  };
};

function holdNow({moments}: View): Hold | undefined {
  const last = moments.steps.length - 1;
  return openHold(waitingOf(moments).holds, last, moments.at(last));
}

function holdText({event}: Hold, {moments}: View): string {
  const request = requestsOf(moments).get(textIn(event, 'effect') ?? '');
  const port = textIn(event, 'port') ?? request?.port ?? '';
  const known = ports.find((each) => each === port);
  const kind = known ? words.ports[known] : port;
  return [kind, request?.label ?? textIn(event, 'tool') ?? ''].filter(Boolean).join(' · ');
}
