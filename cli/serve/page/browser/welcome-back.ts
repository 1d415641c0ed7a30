/** Shows a returning person the progress of the form, with the choice to continue or start over. */

import {button, byId, element} from './element.ts';
import {progressOf} from './sync/shown.ts';
import type {Submission} from './sync/wire.ts';
import type {Texts} from './texts/texts.ts';

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
