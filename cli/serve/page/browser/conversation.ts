/** The conversation: the messages, the suggested answers, and the text box of the person. */

import {inputFor} from './answers.ts';
import {button, byId, element, secretText, whenChanged} from './element.ts';
import type {Field, Message, Sending, Shown, Standing, Submission} from './sync/wire.ts';
import {languageNames, type Texts} from './texts.ts';
import {type Part, partsOf} from './wording.ts';

interface Spoken {
  readonly from: Message['from'];
  readonly parts: readonly Part[];
  readonly isSecret: boolean;
  readonly fate?: Sending['fate'];
}

interface Drawn {
  readonly node: HTMLElement;
  /** The message as data, for comparison. */
  readonly key: string;
}

export function createConversation(): (shown: Shown, texts: Texts) => void {
  const log = byId('log', HTMLElement);
  const working = byId('working', HTMLElement);
  let drawn: readonly Drawn[] = [];

  return (shown, texts) => {
    byId('conversation-title', HTMLElement).textContent = texts.conversation;
    byId('description', HTMLElement).textContent = unsaidDescription(shown.submission);
    const before = drawn;
    drawn = spokenIn(shown).map((spoken, index) => {
      const key = JSON.stringify([spoken.from, spoken.parts, spoken.isSecret, texts.language]);
      const old = before[index];
      const node = old?.key === key ? old.node : drawSpoken(spoken, texts);
      markFate(node, spoken.fate, texts);
      return {key, node};
    });
    replace(log, before, drawn);
    markCurrent(drawn);
    if (before.length === 0) readAloudFromNowOn(log);
    working.hidden = !isWorking(shown);
    working.replaceChildren(...dots(), element('span', {class: 'visually-hidden'}, texts.working));
  };
}

/** The question that waits for an answer: a refusal leaves it as it is. */
function markCurrent(drawn: readonly Drawn[]): void {
  const questions = drawn.filter(({node}) => node.querySelector('.question') !== null);
  for (const {node} of drawn) node.classList.toggle('current', node === questions.at(-1)?.node);
}

/** Earlier messages are not read aloud again to a returning person; a first question is. */
function readAloudFromNowOn(log: HTMLElement): void {
  if (log.children.length <= 1) log.setAttribute('aria-live', 'polite');
  else setTimeout(() => log.setAttribute('aria-live', 'polite'), 1000);
}

/** Empty when the greeting contains the description. */
function unsaidDescription({description = '', messages}: Submission): string {
  return messages[0]?.text.includes(description) ? '' : description;
}

function spokenIn({submission, sending}: Shown): Spoken[] {
  const secret = new Set(
    submission.fields.flatMap(({id, sensitivity}) => (sensitivity === 'secret' ? [id] : [])),
  );
  const said = submission.messages.map((message) => ({
    from: message.from,
    parts: message.from === 'agent' ? partsOf(message, submission.fields) : whole(message.text),
    isSecret: message.from === 'person' && secret.has(message.field ?? ''),
  }));
  const pending = sending
    .filter(({fate}) => fate !== 'arrived')
    .map(({text, isSecret, fate}) => ({
      from: 'person' as const,
      parts: whole(text),
      isSecret,
      fate,
    }));
  return [...said, ...pending];
}

function whole(text: string): Part[] {
  return [{kind: 'aside', text}];
}

function isWorking({submission, sending}: Shown): boolean {
  return submission.isAtWork || sending.some(({fate}) => fate !== 'waiting');
}

function replace(log: HTMLElement, before: readonly Drawn[], after: readonly Drawn[]): void {
  const kept = new Set(after.map(({node}) => node));
  for (const {node} of before) if (!kept.has(node)) node.remove();
  for (const [index, {node}] of after.entries()) {
    const there = log.children[index] ?? null;
    if (there !== node) log.insertBefore(node, there);
  }
}

function drawSpoken({from, parts, isSecret}: Spoken, texts: Texts): HTMLElement {
  const speaker = element('span', {class: 'visually-hidden'}, texts.speaker[from]);
  const body = parts.map(({kind, text}) =>
    element(
      'p',
      {class: `text ${kind}`},
      isSecret ? secretText(text, texts.yourAnswer, texts) : text,
    ),
  );
  return element('article', {class: `said ${from}`}, speaker, ...body);
}

function markFate(node: HTMLElement, fate: Sending['fate'] | undefined, texts: Texts): void {
  const text = fate === 'sending' || fate === 'waiting' ? texts[fate] : '';
  const mark = node.querySelector('.fate');
  if ((mark?.textContent ?? '') === text) return;
  mark?.remove();
  if (text !== '') node.append(element('p', {class: 'fate'}, text));
}

function dots(): HTMLElement[] {
  return [1, 2, 3].map(() => element('span', {class: 'dot', 'aria-hidden': 'true'}));
}

// Buttons with answers to the current question.

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

// The text box of the person. Enter sends, except while an input method is composing a word.

interface Composer {
  readonly show: (about: Field | undefined, texts: Texts) => void;
  /** Restores a text that could not be sent, before the text typed since. */
  readonly giveBack: (text: string) => void;
  readonly focus: () => void;
}

interface ComposerActions {
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
