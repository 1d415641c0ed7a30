/** All fields with their answers, as a list; each can be edited in place until the submission is closed. */

import {answerEditor} from './answer-editor.ts';
import {button, element, secretText, whenChanged} from './element.ts';
import type {Drafts} from './sync/keep.ts';
import type {Field} from './sync/wire.ts';
import type {Texts} from './texts/texts.ts';
import {shownValue} from './values.ts';

export interface Listed {
  readonly fields: readonly Field[];
  readonly current: string | undefined;
  readonly texts: Texts;
}

export interface AnswerList {
  readonly node: HTMLElement;
  readonly show: (listed: Listed) => void;
}

export interface Changing {
  readonly change: (field: Field, text: string) => void;
  /** Text that is being typed and not saved yet. */
  readonly drafts: Drafts;
}

/** Without `changing` the list is read-only. */
export function createAnswerList(changing?: Changing): AnswerList {
  const node = element('ol', {class: 'answers'});
  let latest: Listed | undefined;
  let editing: string | undefined;

  const edit = (id: string | undefined): void => {
    editing = id;
    if (latest) draw(latest);
  };
  const drawChanger = (field: Field, texts: Texts, {change, drafts}: Changing): HTMLElement => {
    if (field.id !== editing) return changeButton(field, texts, () => edit(field.id));
    const name = `edit ${field.id}`;
    const end = (): void => {
      drafts.write(name, '');
      edit(undefined);
    };
    return answerEditor(field, texts, drafts.read(name), {
      drafted: (text) => drafts.write(name, text, field),
      save: (text) => {
        change(field, text);
        end();
      },
      cancel: end,
    });
  };
  const draw = ({fields, current, texts}: Listed): void => {
    const focused = fieldAtFocus(node);
    const rows = fields
      .filter(({status}) => status !== 'notApplicable')
      .map((field) => {
        const row = drawRow(field, field.id === current, texts);
        if (changing && canChange(field)) row.append(drawChanger(field, texts, changing));
        return row;
      });
    node.replaceChildren(...rows);
    if (focused !== undefined) focusField(node, focused);
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

function fieldAtFocus(list: HTMLElement): string | undefined {
  const {activeElement} = document;
  const row = list.contains(activeElement) ? activeElement?.closest('[data-field]') : undefined;
  return row?.getAttribute('data-field') ?? undefined;
}

/** Focuses the button of the field; its row when there is no button. */
function focusField(list: HTMLElement, id: string): void {
  const row = list.querySelector<HTMLElement>(`[data-field="${CSS.escape(id)}"]`);
  const control = row?.querySelector<HTMLElement>(':is(input, select, textarea, .change)');
  (control ?? row)?.focus();
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
      tabindex: -1,
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
