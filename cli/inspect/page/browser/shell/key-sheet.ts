/** The sheet of the keys, which `?` opens. */

import {button, element} from '../../../../serve/page/browser/element.ts';
import {createDialog, isTyping} from '../elements/dialog.ts';
import {t} from '../language.ts';

const keys: readonly (readonly [keys: readonly string[], effect: string])[] = [
  [['←', '→'], t`one entry back or forward`],
  [['[', ']'], t`to the previous or next decision`],
  [['Home', 'End'], t`to the first or last entry`],
  [['↑', '↓'], t`to the next row of a list or of the actors`],
  [['/'], t`find a run`],
  [['+', '−', '0'], t`zoom the chart, or fit it`],
  [['?'], t`this list`],
];

/** A button that opens the sheet, as its key does. */
export function keySheetButton(): HTMLButtonElement {
  const rows = keys.flatMap(([names, effect]) => [
    element('dt', {}, ...names.flatMap((name) => [element('kbd', {}, name), ' '])),
    element('dd', {}, effect),
  ]);
  const dialog = createDialog(t`Keys`, element('dl', {class: 'panel-body keys'}, ...rows));
  document.addEventListener('keydown', (event) => {
    if (event.key === '?' && !isTyping(event)) dialog.showModal();
  });
  const title = t`Keys (?)`;
  return button('?', {'aria-label': title, title}, () => dialog.showModal());
}
