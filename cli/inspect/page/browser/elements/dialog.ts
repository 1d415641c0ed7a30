/** A part of the page that is opened above the others, and closed with Escape, its button or a press beside it. */

import {button, element} from '../../../../serve/page/browser/element.ts';
import {t} from '../language.ts';

export function createDialog(title: string, ...content: readonly HTMLElement[]): HTMLDialogElement {
  const close = button('×', {class: 'quiet', 'aria-label': t`Close`}, () => dialog.close());
  const head = element('div', {class: 'panel-head'}, element('h2', {}, title), close);
  const panel = element('div', {class: 'panel'}, head, ...content);
  const dialog = element('dialog', {'aria-label': title}, panel);
  dialog.addEventListener('click', ({target}) => {
    if (target === dialog) dialog.close();
  });
  document.body.append(dialog);
  return dialog;
}

/** Keys of the page have no effect while something is typed or a dialog is open. */
export function isTyping({target}: Event): boolean {
  return (
    document.querySelector('dialog[open]') !== null ||
    (target instanceof Element && target.closest('input:not([type=range])') !== null)
  );
}
