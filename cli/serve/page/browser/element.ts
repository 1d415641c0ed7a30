/** Creates elements in one expression. Text is never parsed as markup. */

import type {Texts} from './texts.ts';

type Child = Node | string | undefined;
type Attribute = string | number | boolean | undefined;

/** `false` and undefined leave an attribute out, `true` sets it empty. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, Attribute>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false)
      made.setAttribute(key, value === true ? '' : String(value));
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

export function button(
  text: string,
  attributes: Readonly<Record<string, Attribute>>,
  press: () => void,
): HTMLButtonElement {
  const made = element('button', {type: 'button', ...attributes}, text);
  made.addEventListener('click', press);
  return made;
}

/** The element of the document with this id. Throws when it does not exist or has another type. */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${kind.name} #${id}`);
}

// A text that is masked until the person shows it.

const mask = '••••••';

export function secretText(value: string, label: string, texts: Texts): HTMLElement {
  let isShown = false;
  const text = element('span', {}, mask);
  const toggle = button(texts.showShort, {class: 'quiet', 'aria-label': texts.show(label)}, () => {
    isShown = !isShown;
    text.textContent = isShown ? value : mask;
    toggle.textContent = isShown ? texts.hideShort : texts.showShort;
    toggle.setAttribute('aria-label', isShown ? texts.hide(label) : texts.show(label));
  });
  return element('span', {class: 'secret-text'}, text, ' ', toggle);
}

// Draws again only when the data have changed: focus, selection and typed text stay.

export function whenChanged<Data>(draw: (data: Data) => void): (data: Data) => void {
  let drawn: string | undefined;
  return (data) => {
    const key = JSON.stringify(data);
    if (key === drawn) return;
    drawn = key;
    draw(data);
  };
}
