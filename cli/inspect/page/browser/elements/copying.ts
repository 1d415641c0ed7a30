/** A button that copies a text exactly as it is. */

import {button} from '../../../../serve/page/browser/element.ts';
import {localized} from '../language.ts';

const words = localized({
  en: {copy: 'Copy', copied: 'Copied.', failed: 'The browser did not allow copying.'},
  ja: {
    copy: 'コピー',
    copied: 'コピーしました。',
    failed: 'ブラウザーがコピーを許可しませんでした。',
  },
});

/** `of`: what is copied, for screen readers. */
export function copyButton(
  of: string,
  text: () => string,
  notify: (text: string) => void,
): HTMLButtonElement {
  return button(words.copy, {class: 'quiet small', 'aria-label': `${words.copy}: ${of}`}, () => {
    void copy(text()).then((isCopied) => notify(isCopied ? words.copied : words.failed));
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
