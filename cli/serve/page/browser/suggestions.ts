/** Buttons with answers to the current question. */

import {button, byId, element, whenChanged} from './element.ts';
import {inputFor} from './field-inputs.ts';
import type {Field, Message, Standing} from './sync/wire.ts';
import {languageNames, type Texts} from './texts/texts.ts';

export interface Suggested {
  readonly state: Standing['state'];
  readonly about: Field | undefined;
  /** The respondent's section that the question is about. */
  readonly section: Message['section'];
  readonly texts: Texts;
}

/** Undefined: no question is open. */
export function createSuggestions(
  say: (text: string) => void,
): (suggested: Suggested | undefined) => void {
  const group = byId('suggestions', HTMLElement);
  return whenChanged((suggested) => {
    group.replaceChildren(...(suggested ? suggest(suggested, say) : []));
    if (suggested) group.setAttribute('aria-label', suggested.texts.suggestions);
  });
}

function suggest(
  {state, about, section, texts}: Suggested,
  say: (text: string) => void,
): HTMLElement[] {
  const chip = (text: string, kind = 'chip'): HTMLElement =>
    button(text, {class: kind}, () => say(text));
  if (state === 'greeting' && section === 'language')
    return languageNames.map((name) => chip(name));
  if (state === 'paused') return [chip(texts.say.goOn)];
  if (state !== 'interviewing' || !about) return [];
  const chips = choicesOf(about, texts).map((choice) => chip(choice));
  const answers = [...chips, ...controlsOf(about, texts, say)];
  const asides = [
    ...(about.required ? [] : [texts.say.skip]),
    ...(about.why ? [texts.say.why] : []),
  ];
  return [...answers, ...asides.map((text) => chip(text, 'chip aside'))];
}

function choicesOf(field: Field, {say}: Texts): readonly string[] {
  const {choices, control} = inputFor(field);
  if (choices === 'yesNo') return [say.yes, say.no];
  if (control === 'date' && field.min === 'today') return [say.today, say.tomorrow];
  return choices === 'one' ? (field.choices ?? []) : [];
}

function controlsOf(field: Field, texts: Texts, say: (text: string) => void): HTMLElement[] {
  const {choices, control} = inputFor(field);
  if (choices === 'several') return [severalOf(field.choices ?? [], texts, say)];
  return control === 'date' ? [dayOf(field, texts, say)] : [];
}

function dayOf({min, max}: Field, texts: Texts, say: (text: string) => void): HTMLElement {
  const input = element('input', {
    type: 'date',
    'aria-label': texts.pickDay,
    min: dayIn(min),
    max: dayIn(max),
    required: true,
  });
  const done = element(
    'button',
    {class: 'primary small', type: 'submit', disabled: true},
    texts.send,
  );
  const form = element('form', {class: 'day'}, input, done);
  form.addEventListener('input', () => {
    done.disabled = input.value === '';
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    say(input.value);
  });
  return form;
}

/** `today` of a form is the respondent's. */
function dayIn(bound: Field['min']): string | undefined {
  return bound === 'today' ? new Date().toLocaleDateString('en-CA') : bound?.toString();
}

function severalOf(
  choices: readonly string[],
  texts: Texts,
  say: (text: string) => void,
): HTMLElement {
  const boxes = choices.map((choice) => element('input', {type: 'checkbox', value: choice}));
  const done = element(
    'button',
    {class: 'primary small', type: 'submit', disabled: true},
    texts.send,
  );
  const chosen = (): string[] => boxes.filter(({checked}) => checked).map(({value}) => value);
  const form = element(
    'form',
    {class: 'several'},
    ...boxes.map((box) => element('label', {class: 'chip'}, box, box.value)),
    done,
  );
  form.addEventListener('change', () => {
    done.disabled = chosen().length === 0;
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    say(chosen().join(', '));
  });
  return form;
}
