/** Edits one answer in place, with a control that fits the field. */

import {button, element} from './element.ts';
import {inputFor} from './field-inputs.ts';
import type {Field} from './sync/wire.ts';
import type {Texts} from './texts/texts.ts';
import {typedValue} from './values.ts';

export interface EditorActions {
  /** Called with the text at every key. */
  readonly drafted: (text: string) => void;
  /** The trimmed text, which is not blank. */
  readonly save: (text: string) => void;
  readonly cancel: () => void;
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export function answerEditor(
  field: Field,
  texts: Texts,
  draft: string,
  {drafted, save, cancel}: EditorActions,
): HTMLElement {
  const control = controlFor(field, texts, draft === '' ? typedValue(field.value) : draft);
  control.setAttribute('aria-label', texts.answerTo(field.label));
  control.addEventListener('input', () => drafted(control.value));
  const form = element(
    'form',
    {class: 'editor'},
    control,
    element(
      'div',
      {class: 'row'},
      element('button', {type: 'submit', class: 'primary small'}, texts.save),
      button(texts.cancel, {class: 'quiet'}, cancel),
    ),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const text = control.value.trim();
    if (text !== '') save(text);
  });
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    cancel();
  });
  return form;
}

function controlFor(field: Field, texts: Texts, value: string): Control {
  const choices = choicesOf(field, texts);
  if (choices.length > 0) {
    const options = choices.map((choice) =>
      element('option', {selected: choice === value}, choice),
    );
    return element('select', {}, ...options);
  }
  if (field.sensitivity === 'secret') {
    return element('input', {type: 'password', autocomplete: 'off', value});
  }
  const {control} = inputFor(field);
  return control === undefined
    ? element('textarea', {rows: 2}, value)
    : element('input', {type: control, value, step: control === 'number' ? 'any' : undefined});
}

function choicesOf(field: Field, {say}: Texts): readonly string[] {
  const {choices} = inputFor(field);
  if (choices === 'one') return field.choices ?? [];
  if (choices !== 'yesNo') return [];
  return field.value === false ? [say.no, say.yes] : [say.yes, say.no];
}
