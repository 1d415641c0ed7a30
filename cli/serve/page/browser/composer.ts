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

export function createComposer(draft: string, {say, drafted}: ComposerActions): Composer {
  const form = byId('composer', HTMLFormElement);
  const input = byId('say', HTMLTextAreaElement);
  const send = byId('send', HTMLButtonElement);
  const note = (): void => {
    send.disabled = input.value.trim() === '';
    drafted(input.value);
  };
  const fill = (text: string): void => {
    input.value = text;
    note();
  };

  input.addEventListener('input', note);
  input.addEventListener('keydown', (event) => {
    if (!isSending(event)) return;
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
      label(about, texts);
      input.inputMode = (about && inputFor(about).keyboard) ?? 'text';
      input.classList.toggle('secret', about?.sensitivity === 'secret');
    },
    giveBack: (text) => {
      fill([text, input.value].filter((part) => part !== '').join('\n'));
      input.focus();
    },
    focus: () => input.focus(),
  };
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
