/** The fields that a server asks a person for. Values are checked by the run, which reports what is wrong. */

import type {Json, JsonObject} from '../../../../../machines/domain/json.ts';
import {button, element} from '../../../../serve/page/browser/element.ts';
import {objectsIn, textIn} from '../derived/members.ts';
import {safeLine} from '../elements/safe-text.ts';
import {localized} from '../language.ts';

const words = localized({
  en: {
    required: 'required',
    optional: 'optional',
    none: 'no value',
    yes: 'yes',
    no: 'no',
    send: (server: string) => `Send to ${server}`,
    caution:
      'The server receives these values, and the record keeps them. Give no password and no key.',
  },
  ja: {
    required: '必須',
    optional: '任意',
    none: '値なし',
    yes: 'はい',
    no: 'いいえ',
    send: (server) => `${server} に送る`,
    caution: '値はサーバーに送られ、記録に残ります。パスワードや鍵は書かないでください。',
  },
});

export interface AnswerForm {
  readonly element: HTMLElement;
  readonly open: () => void;
}

interface FieldInput {
  readonly name: string;
  readonly label: HTMLElement;
  readonly control: HTMLElement;
  /** Undefined: no value. */
  readonly value: () => Json | undefined;
}

/** `input`: as in `HumanQuestion`. */
export function answerForm(
  input: JsonObject | undefined,
  send: (content: JsonObject) => void,
): AnswerForm {
  const fields = objectsIn(input, 'fields').map(fieldInput);
  const press = button(words.send(textIn(input, 'server') ?? ''), {class: 'primary'}, () => {
    const given = fields.flatMap(({name, value}) => {
      const one = value();
      return one === undefined ? [] : [[name, one] as const];
    });
    send(Object.fromEntries(given));
  });
  const form = element(
    'div',
    {class: 'answer-form', hidden: true},
    ...fields.map(({label}) => label),
    element('p', {class: 'muted'}, words.caution),
    element('div', {class: 'row'}, press),
  );
  return {
    element: form,
    open: () => {
      form.hidden = false;
      (fields[0]?.control ?? press).focus();
    },
  };
}

function fieldInput(field: JsonObject): FieldInput {
  const name = textIn(field, 'name') ?? '';
  const need = field['required'] === true ? words.required : words.optional;
  const said = [textIn(field, 'title'), textIn(field, 'description')].filter(
    (text) => text !== undefined && text !== name,
  );
  const {control, value} = controlOf(field);
  const label = element(
    'label',
    {class: 'field'},
    element('span', {}, safeLine(name), ` (${need})`),
    ...said.map((text) => element('span', {class: 'muted'}, safeLine(text ?? ''))),
    control,
  );
  return {name, label, control, value};
}

type Control = Pick<FieldInput, 'control' | 'value'>;

function controlOf(field: JsonObject): Control {
  const type = textIn(field, 'type');
  if (type === 'boolean') {
    const choices = [
      {value: 'true', title: words.yes},
      {value: 'false', title: words.no},
    ];
    return oneOf(choices, plainText(field['default']), (chosen) => chosen === 'true');
  }
  const choices = objectsIn(field, 'choices').map((each) => ({
    value: textIn(each, 'value') ?? '',
    title: textIn(each, 'title'),
  }));
  const preset = field['default'];
  if (type === 'choice') return oneOf(choices, plainText(preset), (chosen) => chosen);
  if (type === 'choices') return severalOf(choices, Array.isArray(preset) ? preset : []);
  return typed(type === 'text', preset);
}

function plainText(value: Json | undefined): string {
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}

interface Choice {
  readonly value: string;
  readonly title: string | undefined;
}

function options(choices: readonly Choice[], isChosen: (value: string) => boolean) {
  return choices.map(({value, title = value}) =>
    element(
      'option',
      {value, selected: isChosen(value)},
      safeLine(
        title === value || value === 'true' || value === 'false' ? title : `${value} (${title})`,
      ),
    ),
  );
}

function oneOf(
  choices: readonly Choice[],
  preset: string,
  toValue: (chosen: string) => Json,
): Control {
  const control = element(
    'select',
    {},
    element('option', {value: ''}, words.none),
    ...options(choices, (value) => value === preset),
  );
  return {
    control,
    value: () => (control.selectedIndex === 0 ? undefined : toValue(control.value)),
  };
}

function severalOf(choices: readonly Choice[], preset: readonly Json[]): Control {
  const control = element(
    'select',
    {multiple: true, size: Math.min(8, Math.max(2, choices.length))},
    ...options(choices, (value) => preset.includes(value)),
  );
  const chosen = () => [...control.selectedOptions].map(({value}) => value);
  return {control, value: () => (chosen().length === 0 ? undefined : chosen())};
}

/** Other texts than numbers are sent unchanged: the run reports the problem. */
function typed(isText: boolean, preset: Json | undefined): Control {
  const control = element('input', {type: 'text', inputmode: isText ? undefined : 'decimal'});
  control.value = plainText(preset);
  return {
    control,
    value: () => {
      const text = control.value.trim();
      if (text === '') return undefined;
      return isText || Number.isNaN(Number(text)) ? text : Number(text);
    },
  };
}
