/** Asks before an action that can't be undone. */

import {button, element} from './element.ts';

export interface Question {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  readonly no: string;
}

/** Resolves with true when the person agreed; Escape means no. */
export async function confirmed({title, text, yes, no}: Question): Promise<boolean> {
  const agree = button(yes, {class: 'primary danger'}, () => dialog.close('yes'));
  const refuse = button(no, {class: 'quiet', autofocus: true}, () => dialog.close());
  const dialog = element(
    'dialog',
    {'aria-labelledby': 'dialog-title', 'aria-describedby': 'dialog-text'},
    element('h2', {id: 'dialog-title'}, title),
    element('p', {id: 'dialog-text'}, text),
    element('div', {class: 'row'}, agree, refuse),
  );
  document.body.append(dialog);
  return await new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
    dialog.showModal();
  });
}
