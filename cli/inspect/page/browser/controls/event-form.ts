/** Sends any event: to the selected actor of a program, or to a run. */

import {button, element} from '../../../../serve/page/browser/element.ts';
import {activeStates, enabledEvents} from '../derived/active.ts';
import {safeLine} from '../elements/safe-text.ts';
import {localized} from '../language.ts';
import {chartOf} from '../sources/charts.ts';
import type {MakePanel, Stage, View} from '../stage.ts';
import {objectFrom} from './gates.ts';
import {createAttempt, sendEvent} from './sending.ts';

const words = localized({
  en: {
    title: 'Send an event',
    to: 'to',
    type: 'Type',
    members: 'Further members as JSON (optional)',
    notJson: 'The further members are not a JSON object.',
    send: 'Send',
    sent: 'The event was sent.',
    accepted: 'Events that it accepts now',
    none: 'Select an actor first.',
  },
  ja: {
    title: 'イベントを送る',
    to: '宛先:',
    type: '種類',
    members: 'その他のメンバーの JSON（任意）',
    notJson: 'その他のメンバーが JSON オブジェクトではありません。',
    send: '送信',
    sent: 'イベントを送信しました。',
    accepted: '今受け付けるイベント',
    none: '先にアクターを選んでください。',
  },
});

/** The types of `RunEvent` without a form of their own. */
const ofRuns = [
  'settings.changed',
  'interaction.spawn',
  'interaction.cancel',
  'form.changed',
] as const;

export const eventForm: MakePanel = (stage) => {
  const addressee = element('p', {class: 'muted'});
  const [type, members] = eventFields();
  const accepted = element('div', {class: 'row', role: 'group', 'aria-label': words.accepted});
  const problem = element('p', {class: 'notice alarm', role: 'alert', hidden: true}, words.notJson);
  const attempt = createAttempt(() => form);
  const form = element(
    'form',
    {class: 'control-form'},
    element('h2', {}, words.title),
    addressee,
    accepted,
    element('label', {class: 'field'}, element('span', {}, words.type), type),
    element('label', {class: 'field'}, element('span', {}, words.members), members),
    problem,
    submitRow(),
    attempt.problem,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const {actor, head} = stage.view();
    const more = members.value.trim() === '' ? {} : objectFrom(members.value);
    problem.hidden = more !== undefined;
    const to = head.kind === 'run' ? {} : actor && {actor};
    if (!more || !to) return;
    const sent = {...more, type: type.value.trim()};
    void attempt.run(() => sendEvent(stage, sent, {sent: words.sent, ...to}));
  });
  let drawn = '';
  const show = (view: View): void => {
    const {head, actor} = view;
    const isRun = head.kind === 'run';
    const to = isRun ? head.id : actor;
    addressee.replaceChildren(
      ...(to === undefined ? [words.none] : [`${words.to} `, safeLine(to)]),
    );
    const events = isRun ? ofRuns : acceptedNow(view, stage, () => show(stage.view()));
    const key = JSON.stringify(events);
    if (key === drawn) return;
    drawn = key;
    accepted.hidden = events.length === 0;
    accepted.replaceChildren(
      ...events.map((name) =>
        eventButton(name, () => {
          type.value = name;
          members.focus();
        }),
      ),
    );
  };
  return {element: form, show};
};

function eventFields(): readonly [HTMLInputElement, HTMLTextAreaElement] {
  const plain = {spellcheck: 'false', autocomplete: 'off'};
  return [
    element('input', {type: 'text', required: true, ...plain}),
    element('textarea', {class: 'mono', rows: 2, placeholder: '{}', ...plain}),
  ];
}

function submitRow(): HTMLElement {
  const submit = element('button', {type: 'submit', class: 'primary'}, words.send);
  return element('div', {class: 'row'}, submit);
}

function eventButton(name: string, press: () => void): HTMLElement {
  const choice = button('', {class: 'mono'}, press);
  choice.append(safeLine(name));
  return choice;
}

/** Of the newest moment: that is where the event arrives. */
function acceptedNow({actor, moments, head}: View, {source}: Stage, arrived: () => void): string[] {
  const last = moments.at(moments.steps.length - 1);
  const state = actor === undefined ? undefined : last.actors.get(actor);
  if (state?.machine === undefined || state.status !== 'active') return [];
  const chart = chartOf(source, head.id, state.machine, arrived);
  if (typeof chart === 'string') return [];
  return enabledEvents(activeStates(chart.states, state.state))
    .filter(({kind}) => kind === 'event')
    .map(({event}) => event);
}
