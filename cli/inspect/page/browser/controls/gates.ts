/** The open questions to a person, each with the decisions that it allows. */

import {isJsonObject, type JsonObject} from '../../../../../machines/domain/json.ts';
import {button, element} from '../../../../serve/page/browser/element.ts';
import {objectIn, textIn, textsIn} from '../derived/members.ts';
import {type Gate, openGates, waitingOf} from '../derived/open-questions.ts';
import {localized} from '../language.ts';
import {questionDetails} from '../panels/question.ts';
import type {MakePanel, Stage, View} from '../stage.ts';
import {questionForms} from './question-forms.ts';
import {createAttempt, sendEvent} from './sending.ts';

const words = localized({
  en: {
    title: 'A decision is needed',
    reason: 'Reason (optional)',
    edited: 'The edited plan as JSON',
    notJson: 'This is not a JSON object.',
    sendPlan: 'Run the edited plan',
    sent: 'The decision was sent.',
  },
  ja: {
    title: '決定が必要です',
    reason: '理由（任意）',
    edited: '編集した計画の JSON',
    notJson: 'JSON オブジェクトではありません。',
    sendPlan: '編集した計画を実行',
    sent: '決定を送信しました。',
  },
});

const decisionWords: Readonly<Record<string, string>> = localized({
  en: {
    approve: 'Approve',
    always: 'Approve, always',
    reject: 'Reject',
    edit: 'Edit the plan …',
    retry: 'Try again',
    done: 'It is done',
    fail: 'It failed',
  },
  ja: {
    approve: '承認',
    always: '常に承認',
    reject: '却下',
    edit: '計画を編集…',
    retry: 'やり直す',
    done: '完了している',
    fail: '失敗した',
  },
});

export const gateForms: MakePanel = (stage) =>
  questionForms<Gate>({
    className: 'gate-forms',
    openIn: gatesNow,
    identify: ({gate, question}) => [gate, textIn(question, 'proposalHash')],
    makeForm: (gate, trace) => gateForm(gate, trace, stage),
  });

function gatesNow({moments}: View): Gate[] {
  const last = moments.steps.length - 1;
  const open = openGates(waitingOf(moments).gates, last, moments.at(last));
  return open.filter(({question}) => question !== undefined);
}

function gateForm({gate, question = {}}: Gate, trace: string, stage: Stage): HTMLElement {
  const reason = element('textarea', {rows: 2});
  const attempt = createAttempt(() => form);
  const decide = (decision: string, more: JsonObject = {}): void => {
    const digest = (textIn(question, 'proposalHash') ?? '').slice(0, 12);
    const said = reason.value.trim();
    const event = {
      type: 'human.decided',
      gate,
      digest,
      decision,
      ...(said === '' ? {} : {reason: said}),
      ...more,
    };
    void attempt.run(() => sendEvent(stage, event, {sent: words.sent, trace}));
  };
  const editor = planEditor(objectIn(question, 'plan'), (plan) => decide('edit', {plan}));
  const choices = textsIn(question, 'allowed').map((decision) =>
    button(
      decisionWords[decision] ?? decision,
      {class: decision === 'approve' ? 'primary' : decision === 'reject' ? 'danger' : undefined},
      () => (decision === 'edit' ? editor.open() : decide(decision)),
    ),
  );
  const form: HTMLElement = element(
    'section',
    {class: 'control-form gate-form'},
    element('h2', {}, words.title),
    questionDetails(question),
    element('label', {class: 'field'}, element('span', {}, words.reason), reason),
    element('div', {class: 'row'}, ...choices),
    editor.element,
    attempt.problem,
  );
  return form;
}

interface Editor {
  readonly element: HTMLElement;
  readonly open: () => void;
}

function planEditor(plan: JsonObject | undefined, send: (plan: JsonObject) => void): Editor {
  const field = element('textarea', {class: 'mono', rows: 12, spellcheck: 'false'});
  field.value = JSON.stringify(plan ?? {}, undefined, 2);
  const problem = element('p', {class: 'notice alarm', role: 'alert', hidden: true}, words.notJson);
  const press = button(words.sendPlan, {class: 'primary'}, () => {
    const edited = objectFrom(field.value);
    problem.hidden = edited !== undefined;
    if (edited) send(edited);
  });
  const editor = element(
    'div',
    {class: 'plan-editor', hidden: true},
    element('label', {class: 'field'}, element('span', {}, words.edited), field),
    problem,
    element('div', {class: 'row'}, press),
  );
  return {
    element: editor,
    open: () => {
      editor.hidden = false;
      field.focus();
    },
  };
}

/** Undefined: the text is not a JSON object. */
export function objectFrom(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
