/** The answers beside the conversation; on a narrow screen above it, on request. */

import type {AnswerList} from './answer-list.ts';
import {byId, element} from './element.ts';
import {progressOf} from './sync/shown.ts';
import type {Submission} from './sync/wire.ts';
import type {Texts} from './texts/texts.ts';

export function createSide(list: AnswerList): (submission: Submission, texts: Texts) => void {
  const side = byId('side', HTMLElement);
  const toggle = byId('toggle', HTMLButtonElement);
  const title = element('h2', {id: 'side-title'});
  side.append(title, list.node);

  const open = (isOpen: boolean): void => {
    side.hidden = !isOpen;
    toggle.setAttribute('aria-expanded', String(isOpen));
  };
  toggle.addEventListener('click', () => open(side.hidden !== false));
  side.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    open(false);
    toggle.focus();
  });
  open(matchMedia('(min-width: 60rem)').matches);
  toggle.hidden = false;

  return ({fields, current}, texts) => {
    const {done, total} = progressOf(fields);
    toggle.replaceChildren(
      element('span', {class: 'long'}, texts.progress(done, total)),
      element('span', {class: 'short', 'aria-hidden': 'true'}, `${done} / ${total}`),
    );
    title.textContent = texts.answers;
    list.show({fields, current, texts});
  };
}
