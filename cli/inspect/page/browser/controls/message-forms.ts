/** Messages to an interaction of the run, replies to its questions, and its cancellation. */

import {interactionIn} from '../../../../../machines/tree/path.ts';
import {confirmed} from '../../../../serve/page/browser/confirm-dialog.ts';
import {button, element} from '../../../../serve/page/browser/element.ts';
import {type Ask, openAsks, waitingOf} from '../derived/open-questions.ts';
import {safeLine, safeText} from '../elements/safe-text.ts';
import {localized} from '../language.ts';
import type {MakePanel, Stage, View} from '../stage.ts';
import {questionForms} from './question-forms.ts';
import {createAttempt, sendEvent} from './sending.ts';

const words = localized({
  en: {
    message: 'Message',
    to: 'to',
    hint: 'Its models read it at their next turn.',
    send: 'Send',
    sent: 'The message was sent.',
    question: 'A question waits for a reply',
    reply: 'Reply',
    cancel: 'Cancel the run …',
    cancelTitle: 'Cancel this run?',
    cancelText: 'It ends at once, and can’t be resumed. Its file changes stay.',
    cancelYes: 'Cancel the run',
    cancelNo: 'Keep it',
    cancelled: 'The cancellation was sent.',
  },
  ja: {
    message: 'メッセージ',
    to: '宛先:',
    hint: 'モデルは次の番で読みます。',
    send: '送信',
    sent: 'メッセージを送信しました。',
    question: '質問が返信を待っています',
    reply: '返信',
    cancel: '実行を中止…',
    cancelTitle: 'この実行を中止しますか?',
    cancelText: 'ただちに終わり、再開できません。ファイルの変更は残ります。',
    cancelYes: '実行を中止する',
    cancelNo: '続ける',
    cancelled: '中止を送信しました。',
  },
});

/** A field with a button. The field is emptied once its text was sent. */
function textForm(
  {label, press}: {readonly label: string; readonly press: string},
  send: (text: string) => Promise<void>,
): HTMLElement {
  const field = element('textarea', {rows: 2});
  const attempt = createAttempt(() => form);
  const form = element(
    'form',
    {class: 'text-form'},
    element('label', {class: 'field'}, element('span', {}, label), field),
    element('button', {type: 'submit'}, press),
    attempt.problem,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (text === '') return field.focus();
    void attempt.run(async () => {
      await send(text);
      field.value = '';
    });
  });
  return form;
}

function interactionOf({actor, head}: View): string {
  return actor === undefined ? head.id : interactionIn(actor, head.id);
}

export const messageForm: MakePanel = (stage) => {
  const addressee = element('p', {class: 'muted'});
  const form = textForm({label: words.message, press: words.send}, (text) =>
    sendEvent(
      stage,
      {type: 'user.said', text, interaction: interactionOf(stage.view())},
      {sent: words.sent},
    ),
  );
  return {
    element: element('section', {class: 'control-form'}, form, addressee),
    show: (view) => {
      addressee.replaceChildren(`${words.to} `, safeLine(interactionOf(view)), ` · ${words.hint}`);
    },
  };
};

export const replyForms: MakePanel = (stage) =>
  questionForms<Ask>({
    className: 'reply-forms',
    openIn: asksNow,
    identify: ({ask}) => [ask],
    makeForm: (ask, trace) => replyForm(ask, trace, stage),
  });

function asksNow({moments}: View): Ask[] {
  const last = moments.steps.length - 1;
  return openAsks(waitingOf(moments).asks, last, moments.at(last));
}

function replyForm({ask, message}: Ask, trace: string, stage: Stage): HTMLElement {
  return element(
    'section',
    {class: 'control-form'},
    element('h2', {}, words.question),
    element('p', {class: 'text-block'}, safeText(message)),
    textForm({label: words.reply, press: words.send}, (text) =>
      sendEvent(stage, {type: 'person.replied', ask, text}, {sent: words.sent, trace}),
    ),
  );
}

export const cancelButton: MakePanel = (stage) => {
  const attempt = createAttempt(() => section);
  const cancel = async (): Promise<void> => {
    const trace = stage.view().head.id;
    const isSure = await confirmed({
      title: words.cancelTitle,
      text: words.cancelText,
      yes: words.cancelYes,
      no: words.cancelNo,
    });
    if (!isSure) return;
    await attempt.run(() =>
      sendEvent(stage, {type: 'user.cancel'}, {sent: words.cancelled, trace}),
    );
  };
  const section: HTMLElement = element(
    'section',
    {class: 'control-form'},
    element(
      'div',
      {class: 'row'},
      button(words.cancel, {class: 'danger'}, () => void cancel()),
    ),
    attempt.problem,
  );
  return {element: section, show: () => {}};
};
