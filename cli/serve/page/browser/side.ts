/** The answers beside the conversation; on a narrow screen above it, on request. */

import type {AnswerList} from './answer-list.ts';
import {byId, element} from './element.ts';
import {progressOf, type Shown} from './sync/shown.ts';
import type {Texts} from './texts/texts.ts';

export function createSide(list: AnswerList): (shown: Shown, texts: Texts) => void {
  const side = byId('side', HTMLElement);
  const toggle = byId('toggle', HTMLButtonElement);
  const title = element('h2', {id: 'side-title'});
  side.append(title, list.node);

  const wide = matchMedia('(min-width: 60rem)');
  const open = (isOpen: boolean): void => {
    side.hidden = !isOpen;
    toggle.setAttribute('aria-expanded', String(isOpen));
  };
  /** On a narrow screen the answers cover the conversation. */
  const uncover = (): void => {
    if (side.hidden || wide.matches) return;
    if (side.contains(document.activeElement)) toggle.focus();
    open(false);
  };
  toggle.addEventListener('click', () => open(side.hidden !== false));
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) uncover();
  });
  open(wide.matches);
  toggle.hidden = false;

  let said = 0;
  return ({submission, sending}, texts) => {
    const {fields, current, messages} = submission;
    const now = messages.length + sending.length;
    if (now > said) uncover();
    said = now;
    const progress = progressOf(submission);
    toggle.replaceChildren(
      element('span', {class: 'long'}, texts.progress(progress)),
      element(
        'span',
        {class: 'short', 'aria-hidden': 'true'},
        `${progress.done} / ${progress.total}`,
      ),
    );
    title.textContent = texts.answers;
    list.show({fields, current, texts});
  };
}
