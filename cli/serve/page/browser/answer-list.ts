/** All fields with what was answered, as a list; each can be changed in its place, unless all is over. */

import {answerEditor} from './answer-editor.ts';
import {button, element} from './element.ts';
import {whenChanged} from './rendered.ts';
import {secretText} from './secret.ts';
import type {Texts} from './texts/texts.ts';
import {shownValue} from './values.ts';
import type {Field} from './wire.ts';

export interface Listed {
  readonly fields: readonly Field[];
  readonly current: string | undefined;
  readonly texts: Texts;
}

export interface AnswerList {
  readonly node: HTMLElement;
  readonly show: (listed: Listed) => void;
}

/** Without `change` nothing can be changed. */
export function createAnswerList(change?: (field: Field, text: string) => void): AnswerList {
  const node = element('ol', {class: 'answers'});
  let latest: Listed | undefined;
  let editing: string | undefined;

  const redraw = (): void => {
    if (latest) draw(latest);
  };
  const edit = (field: Field | undefined): void => {
    const before = editing;
    editing = field?.id;
    redraw();
    const selector =
      editing === undefined
        ? `[data-field="${CSS.escape(before ?? '')}"] .change`
        : '.editor :is(input, select, textarea)';
    node.querySelector<HTMLElement>(selector)?.focus();
  };
  const editorOf = (field: Field, texts: Texts): HTMLElement =>
    answerEditor(field, texts, {
      save: (text) => {
        change?.(field, text);
        edit(undefined);
      },
      cancel: () => edit(undefined),
    });
  const draw = ({fields, current, texts}: Listed): void => {
    node.replaceChildren(
      ...fields
        .filter(({status}) => status !== 'notApplicable')
        .map((field) => {
          const row = drawRow(field, field.id === current, texts);
          if (field.id === editing) row.append(editorOf(field, texts));
          else if (change && canChange(field))
            row.append(changeButton(field, texts, () => edit(field)));
          return row;
        }),
    );
  };
  const drawIfChanged = whenChanged(draw);

  return {
    node,
    show: (listed) => {
      latest = listed;
      if (editing === undefined) drawIfChanged(listed);
    },
  };
}

function canChange({status}: Field): boolean {
  return !['pending', 'interviewing', 'reviewing'].includes(status);
}

function changeButton(field: Field, texts: Texts, press: () => void): HTMLElement {
  const label = texts.change(field.label);
  return button(texts.changeShort, {class: 'quiet change', 'aria-label': label}, press);
}

function drawRow(field: Field, isCurrent: boolean, texts: Texts): HTMLElement {
  const optional = element('span', {class: 'optional'}, texts.optional);
  const label = element(
    'p',
    {class: 'label'},
    field.label,
    ' ',
    field.required ? undefined : optional,
  );
  const body = element('div', {class: 'answer-body'}, label, drawAnswer(field, texts));
  return element(
    'li',
    {
      class: `answer ${field.status}`,
      'data-field': field.id,
      'aria-current': isCurrent ? 'step' : undefined,
    },
    body,
  );
}

function drawAnswer(field: Field, texts: Texts): HTMLElement {
  const value = shownValue(field, texts);
  if (field.status !== 'done' || value === '') {
    return element('p', {class: 'status'}, texts.status[field.status]);
  }
  const body = field.sensitivity === 'secret' ? secretText(value, field.label, texts) : value;
  return element('p', {class: 'value'}, body);
}
