/** Where it ends: submitted, deleted, or never found. Each is one calm page with a heading that takes the focus. */

import {type AnswerList, createAnswerList} from './answer-list.ts';
import {button, byId, element} from './element.ts';
import type {Texts} from './texts/texts.ts';
import type {Submission} from './wire.ts';

export interface Ending {
  readonly title: string;
  readonly text: string;
  readonly isGood?: boolean;
  readonly more?: readonly HTMLElement[];
}

/** In place of all else. */
export function showEnding({title, text, isGood = false, more = []}: Ending): void {
  const section = byId('ending', HTMLElement);
  const heading = element('h2', {tabindex: -1}, title);
  const mark = element('span', {class: 'mark', 'aria-hidden': 'true'}, '✓');
  section.replaceChildren(
    ...(isGood ? [mark] : []),
    heading,
    element('p', {class: 'lead'}, text),
    ...more,
  );
  section.hidden = false;
  document.body.dataset['state'] = 'ended';
  heading.focus();
}

export function createSubmitted(
  download: () => void,
): (submission: Submission, texts: Texts) => void {
  let list: AnswerList | undefined;
  return ({fields}, texts) => {
    if (list === undefined) {
      list = createAnswerList();
      const {title, text, download: label, print: printLabel} = texts.ending;
      const row = element(
        'div',
        {class: 'row'},
        button(label, {class: 'primary'}, download),
        button(printLabel, {class: 'quiet'}, () => print()),
      );
      const answers = element('div', {class: 'card'}, element('h3', {}, texts.answers), list.node);
      showEnding({title, text, isGood: true, more: [row, answers]});
    }
    list.show({fields, current: undefined, texts});
  };
}
