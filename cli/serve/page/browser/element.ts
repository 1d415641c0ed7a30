/** Creates elements in one expression. Text is never parsed as markup. */

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
