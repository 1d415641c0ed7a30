/**
 * Texts of models and strangers as nodes. Characters that are invisible, control something or change the direction of the text
 * are shown by their names, and look different from the same names in a text. A text does not change the direction of the
 * text around it.
 */

import {escapeForTerminal, escapeLine} from '../../../../../tools/escape.ts';
import {element} from '../../../../serve/page/browser/element.ts';

/** Keeps line ends and tabs. */
export function safeText(text: string): HTMLElement {
  return isolated(text, escapeForTerminal);
}

/** For one line: line ends are shown by their names, too. */
export function safeLine(text: string): HTMLElement {
  return isolated(text, escapeLine);
}

/** A part of a line. */
export function textSpan(classes: string, text: string): HTMLElement {
  return element('span', {class: classes}, safeLine(text));
}

function isolated(text: string, escape: (text: string) => string): HTMLElement {
  if (escape(text) === text) return element('bdi', {}, text);
  const made = element('bdi');
  let plain = '';
  for (const character of text) {
    const escaped = escape(character);
    if (escaped === character) {
      plain += character;
      continue;
    }
    if (plain !== '') made.append(plain);
    plain = '';
    const kind = /\s/.test(character) ? 'escaped blank' : 'escaped';
    made.append(element('span', {class: kind}, escaped));
  }
  if (plain !== '') made.append(plain);
  return made;
}

const shownAtFirst = 4000;

/** A block of text; of a long one only the beginning, until the person asks for the rest. `showAll`: the label for that. */
export function safeBlock(text: string, showAll: (length: number) => string): HTMLElement {
  const block = element('div', {class: 'text-block'});
  if (text.length <= shownAtFirst) {
    block.append(safeText(text));
    return block;
  }
  const rest = element('button', {type: 'button', class: 'quiet small'}, showAll(text.length));
  rest.addEventListener('click', () => {
    block.replaceChildren(safeText(text));
    block.tabIndex = -1;
    block.focus();
  });
  block.append(safeText(`${text.slice(0, shownAtFirst).toWellFormed()}…`), rest);
  return block;
}
