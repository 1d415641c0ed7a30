/** A text that is masked until the person shows it. */

import {button, element} from './element.ts';
import type {Texts} from './texts/texts.ts';

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
