/** The text box of the person. Enter sends, except while an input method is composing a word. */

import {byId, element} from './element.ts';
import {inputFor} from './field-inputs.ts';
import type {Field} from './sync/wire.ts';
import type {Texts} from './texts/texts.ts';

export interface Composer {
  readonly show: (about: Field | undefined, texts: Texts) => void;
  /** Restores a text that could not be sent, before the text typed since. */
  readonly giveBack: (text: string) => void;
  readonly focus: () => void;
}

export interface ComposerActions {
  readonly say: (text: string) => void;
  /** Called with the text at every key. */
  readonly drafted: (text: string) => void;
}

type Control = HTMLInputElement | HTMLTextAreaElement;

export function createComposer(draft: string, {say, drafted}: ComposerActions): Composer {
  const form = byId('composer', HTMLFormElement);
  const send = byId('send', HTMLButtonElement);
  let input: Control = byId('say', HTMLTextAreaElement);
  const note = (): void => {
    send.disabled = input.value.trim() === '';
    drafted(input.value);
  };
  const fill = (text: string): void => {
    input.value = text;
    note();
  };

  form.addEventListener('input', note);
  form.addEventListener('keydown', (event) => {
    if (event.target !== input || !isSending(event)) return;
    event.preventDefault();
    form.requestSubmit();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (text === '') return;
    fill('');
    say(text);
    input.focus();
  });
  fill(draft);

  return {
    show: (about, texts) => {
      input = fitted(input, about);
      label(about, texts);
      input.placeholder = placeholderFor(about, texts);
    },
    giveBack: (text) => {
      fill([text, input.value].filter((part) => part !== '').join('\n'));
      input.focus();
    },
    focus: () => input.focus(),
  };
}

/** A control of the field's type, with the text and the focus of the one that it replaces. Any words can be typed in each. */
function fitted(input: Control, about: Field | undefined): Control {
  const {control, keyboard = 'text'} = about ? inputFor(about) : {};
  const type = control === 'email' || control === 'url' || control === 'tel' ? control : undefined;
  const isFitting = type === undefined ? input instanceof HTMLTextAreaElement : input.type === type;
  const made = isFitting ? input : controlOf(type, input);
  made.inputMode = keyboard;
  made.classList.toggle('secret', about?.sensitivity === 'secret');
  return made;
}

function controlOf(type: 'email' | 'url' | 'tel' | undefined, before: Control): Control {
  const hadFocus = before === document.activeElement;
  const shared = {id: 'say', enterkeyhint: 'send', 'aria-describedby': 'keys'};
  const made =
    type === undefined
      ? element('textarea', {...shared, rows: 1, autocomplete: 'off'})
      : element('input', {...shared, type, autocomplete: type});
  made.value = before.value;
  before.replaceWith(made);
  if (hadFocus) made.focus();
  return made;
}

function placeholderFor(about: Field | undefined, texts: Texts): string {
  const hasChoices = about !== undefined && inputFor(about).choices !== undefined;
  return hasChoices ? texts.placeholderWithChoices : texts.placeholder;
}

function label(about: Field | undefined, texts: Texts): void {
  const {yourAnswer, answerTo} = texts;
  byId('say-label', HTMLElement).textContent = about ? answerTo(about.label) : yourAnswer;
  byId('keys', HTMLElement).textContent = texts.keys;
  const skip = byId('skip', HTMLElement);
  skip.textContent = texts.skipToAnswer;
  skip.hidden = false;
  byId('send', HTMLElement).replaceChildren(
    element('span', {class: 'visually-hidden'}, texts.send),
  );
}

/** Some browsers end the composition before they report the key; then the old key code shows it. */
function isSending({key, shiftKey, isComposing, keyCode}: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !isComposing && keyCode !== 229;
}
