/** The final pages: submitted, deleted, or not found. Each has a heading that takes the focus. */

import {type AnswerList, createAnswerList} from './answer-list.ts';
import {button, byId, element} from './element.ts';
import {progressOf} from './sync/shown.ts';
import type {Submission} from './sync/wire.ts';
import type {Texts} from './texts/texts.ts';

export interface Ending {
  readonly title: string;
  readonly text: string;
  readonly more?: readonly HTMLElement[];
}

/** Replaces the whole page. */
export function showEnding(ending: Ending): void {
  document.body.dataset['state'] = 'closed';
  fill(ending);
}

/** The answers at the end of the conversation. */
export function createOver(download: () => void): (submission: Submission, texts: Texts) => void {
  let list: AnswerList | undefined;
  return ({state, fields}, texts) => {
    document.body.dataset['state'] = 'over';
    if (list === undefined) {
      list = createAnswerList();
      const isSubmitted = state === 'submitted';
      const {title, text} = isSubmitted ? texts.ending : texts.broken;
      const row = element(
        'div',
        {class: 'row'},
        button(texts.ending.download, {class: 'primary'}, download),
        button(texts.ending.print, {class: 'quiet'}, () => print()),
      );
      const answers = element('div', {class: 'card'}, element('h3', {}, texts.answers), list.node);
      fill({title, text, more: [row, answers]}, isSubmitted);
    }
    list.show({fields, current: undefined, texts});
  };
}

function fill({title, text, more = []}: Ending, isGood = false): void {
  const section = byId('ending', HTMLElement);
  const heading = element('h2', {tabindex: -1}, title);
  const mark = element('span', {class: 'mark', 'aria-hidden': 'true'}, '✓');
  const lead = element('p', {class: 'lead'}, text);
  section.replaceChildren(...(isGood ? [mark] : []), heading, lead, ...more);
  section.hidden = false;
  heading.focus();
}

// Shows a returning person the progress of the form, with the choice to continue or start over.

export interface BackActions {
  readonly goOn: () => void;
  readonly startOver: () => Promise<void>;
}

export function showWelcomeBack(submission: Submission, texts: Texts, actions: BackActions): void {
  const card = element(
    'section',
    {class: 'card back', 'aria-labelledby': 'back-title'},
    element('h2', {id: 'back-title'}, texts.back.title),
    element('p', {}, texts.progress(progressOf(submission))),
    element(
      'div',
      {class: 'row'},
      button(texts.back.goOn, {class: 'primary small'}, actions.goOn),
      button(texts.back.startOver, {class: 'quiet'}, () => void actions.startOver()),
    ),
  );
  byId('back', HTMLElement).replaceChildren(card);
}

export function hideWelcomeBack(): void {
  byId('back', HTMLElement).replaceChildren();
}
