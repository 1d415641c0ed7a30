/** The fields of a form with their answers: the control of each type, the editor of one answer, the list of all, and the review before they are submitted. */

import {button, byId, element, secretText, whenChanged} from './element.ts';
import type {Drafts} from './sync/talk.ts';
import {
  type Field,
  type FieldType,
  progressOf,
  type Shown,
  type Standing,
  type Value,
} from './sync/wire.ts';
import type {Texts} from './texts.ts';

interface Listed {
  readonly fields: readonly Field[];
  readonly current: string | undefined;
  readonly texts: Texts;
}

export interface AnswerList {
  readonly node: HTMLElement;
  readonly show: (listed: Listed) => void;
}

interface Changing {
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

// Edits one answer in place, with a control that fits the field.

interface EditorActions {
  /** Called with the text at every key. */
  readonly drafted: (text: string) => void;
  /** The trimmed text, which is not blank. */
  readonly save: (text: string) => void;
  readonly cancel: () => void;
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function answerEditor(
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

// The controls for a field of each type, beside the text box.

interface FieldInput {
  /** The `type` of the HTML input that edits an answer in place. Absent: free text, as in the conversation. */
  readonly control?: 'number' | 'date' | 'email' | 'url' | 'tel';
  /** The keyboard that a touch screen shows. */
  readonly keyboard?: 'decimal' | 'numeric' | 'email' | 'url' | 'tel';
  /** The choices: yes and no, one of the form's choices, or several of them. */
  readonly choices?: 'yesNo' | 'one' | 'several';
}

const inputs: Readonly<Record<FieldType, FieldInput>> = {
  text: {},
  number: {control: 'number', keyboard: 'decimal'},
  integer: {control: 'number', keyboard: 'numeric'},
  date: {control: 'date'},
  email: {control: 'email', keyboard: 'email'},
  url: {control: 'url', keyboard: 'url'},
  phone: {control: 'tel', keyboard: 'tel'},
  boolean: {choices: 'yesNo'},
  choice: {choices: 'one'},
  choices: {choices: 'several'},
};

export function inputFor({type}: Pick<Field, 'type'>): FieldInput {
  return inputs[type];
}

// Formats a value for people.

function shownValue(field: Field, {language, say}: Texts): string {
  const {value} = field;
  const locale = localeFor(language);
  if (value === undefined) return '';
  if (typeof value === 'boolean') return value ? say.yes : say.no;
  if (typeof value === 'number') return new Intl.NumberFormat(locale).format(value);
  if (typeof value === 'string')
    return inputFor(field).control === 'date' ? shownDate(value, locale) : value;
  return new Intl.ListFormat(locale, {type: 'unit'}).format(value);
}

/** The browser's own locale of this language, such as en-GB, if it has one. */
function localeFor(language: string): string {
  const isSame = (tag: string): boolean => tag.toLowerCase().split('-')[0] === language;
  return navigator.languages.find(isSame) ?? language;
}

function shownDate(iso: string, locale: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return new Intl.DateTimeFormat(locale, {dateStyle: 'long', timeZone: 'UTC'}).format(date);
}

/** The settings that the person did not state, in words. */
function assumedSettings(standing: Standing, {language}: Texts): readonly string[] {
  const {assumed = [], timezone} = standing;
  const nameOf = (type: 'language' | 'region', code = ''): string | undefined =>
    code === '' ? undefined : new Intl.DisplayNames(language, {type}).of(code);
  const names = {
    language: nameOf('language', standing.language?.split('-')[0]),
    country: nameOf('region', standing.country),
    timezone,
  };
  return assumed.flatMap((setting) => names[setting] ?? []);
}

/** Formats a value for editing. */
function typedValue(value: Value | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'object' ? value.join(', ') : String(value);
}

// The answers beside the conversation; on a narrow screen above it, on request.

export function createSide(list: AnswerList): (shown: Shown, texts: Texts) => void {
  const side = byId('side', HTMLElement);
  const toggle = byId('toggle', HTMLButtonElement);
  const title = element('h2', {id: 'side-title'});
  side.append(title, list.node);

  const wide = matchMedia('(min-width: 60rem)');
  const open = (isOpen: boolean): void => {
    side.hidden = !isOpen;
    toggle.setAttribute('aria-expanded', String(isOpen));
  };
  /** On a narrow screen the answers cover the conversation. */
  const uncover = (): void => {
    if (side.hidden || wide.matches) return;
    if (side.contains(document.activeElement)) toggle.focus();
    open(false);
  };
  toggle.addEventListener('click', () => open(side.hidden !== false));
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) uncover();
  });
  open(wide.matches);
  toggle.hidden = false;

  let said = 0;
  return ({submission, sending}, texts) => {
    const {fields, current, messages} = submission;
    const now = messages.length + sending.length;
    if (now > said) uncover();
    said = now;
    const progress = progressOf(submission);
    toggle.replaceChildren(
      element('span', {class: 'long'}, texts.progress(progress)),
      element(
        'span',
        {class: 'short', 'aria-hidden': 'true'},
        `${progress.done} / ${progress.total}`,
      ),
    );
    title.textContent = texts.answers;
    list.show({fields, current, texts});
  };
}

// All answers before they are submitted, and the button that submits them.

export interface ReviewActions {
  /** Resolves when it is submitted, rejects when it is not. */
  readonly submit: () => Promise<void>;
}

/** The returned function returns true while the review is shown: it does not change while an answer is being processed. */
export function createReview(
  list: AnswerList,
  {submit}: ReviewActions,
): (shown: Shown, texts: Texts) => boolean {
  const section = byId('review', HTMLElement);
  const title = element('h2', {id: 'review-title', tabindex: -1});
  const lead = element('p', {class: 'lead'});
  const assumed = element('p', {class: 'lead', id: 'review-assumed'});
  const open = element('div', {id: 'review-open'});
  let latest: Drawn | undefined;
  let isSubmitting = false;

  const redraw = (): void => {
    if (!latest) return;
    const {texts, labels, canSubmit, settings} = latest;
    title.textContent = texts.review.title;
    lead.textContent = texts.review.lead;
    assumed.textContent = settings === '' ? '' : texts.review.assumed(settings);
    press.textContent = isSubmitting ? texts.review.submitting : texts.review.submit;
    press.disabled = isSubmitting || !canSubmit;
    open.replaceChildren(...(labels.length > 0 ? drawOpen(labels, texts) : []));
  };
  const mark = (isAtIt: boolean): void => {
    isSubmitting = isAtIt;
    redraw();
  };
  const press = button('', {class: 'primary', 'aria-describedby': 'review-open'}, () => {
    mark(true);
    void submit().finally(() => mark(false));
  });
  const draw = whenChanged((data: Drawn) => {
    latest = data;
    redraw();
  });
  section.append(title, lead, list.node, assumed, open, press);

  return ({submission, sending}, texts) => {
    const {state, fields, open: ids, canSubmit, isAtWork} = submission;
    const isBusy = isAtWork || sending.length > 0;
    const wasHidden = section.hidden;
    section.hidden = isBusy ? wasHidden : state !== 'confirming';
    if (section.hidden) return false;
    list.show({fields, current: undefined, texts});
    const labels = fields.flatMap(({id, label}) => (ids.includes(id) ? [label] : []));
    const settings = assumedSettings(submission, texts).join(', ');
    draw({texts, labels, canSubmit, settings});
    if (wasHidden) {
      title.focus({preventScroll: true});
      section.scrollIntoView({block: 'start', behavior: 'instant'});
    }
    return true;
  };
}

interface Drawn {
  readonly texts: Texts;
  /** Labels of the fields that still need an answer. */
  readonly labels: readonly string[];
  readonly canSubmit: boolean;
  /** Those that the person did not state. */
  readonly settings: string;
}

function drawOpen(labels: readonly string[], texts: Texts): HTMLElement[] {
  const items = labels.map((label) => element('li', {}, label));
  return [element('p', {}, texts.review.open), element('ul', {}, ...items)];
}
