/** A button that copies a text exactly as it is. */

import {button} from '../../../../serve/page/browser/element.ts';
import {t} from '../language.ts';

/** `of`: what is copied, for screen readers. */
export function copyButton(
  of: string,
  text: () => string,
  notify: (text: string) => void,
): HTMLButtonElement {
  return button(t`Copy`, {class: 'quiet small', 'aria-label': `${t`Copy`}: ${of}`}, () => {
    void copy(text()).then((isCopied) =>
      notify(isCopied ? t`Copied.` : t`The browser did not allow copying.`),
    );
  });
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
