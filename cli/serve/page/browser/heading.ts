/** The top of the page: title, progress, and the actions on the submission. */

import {byId} from './element.ts';
import {progressOf} from './sync/shown.ts';
import type {Submission} from './sync/wire.ts';
import type {Texts} from './texts/texts.ts';

export interface HeadingActions {
  readonly download: () => Promise<void>;
  readonly erase: () => Promise<void>;
}

export function createHeading(
  actions: HeadingActions,
): (submission: Submission, texts: Texts) => void {
  const menu = byId('menu', HTMLDetailsElement);
  const bar = byId('progress', HTMLProgressElement);
  for (const name of ['download', 'erase'] as const) {
    byId(name, HTMLElement).addEventListener('click', () => {
      menu.open = false;
      void actions[name]();
    });
  }
  closeAside(menu);
  menu.hidden = false;

  return (submission, texts) => {
    const {title} = submission;
    const progress = progressOf(submission);
    document.title = title;
    byId('title', HTMLElement).textContent = title;
    byId('menu-title', HTMLElement).setAttribute('aria-label', texts.menu);
    byId('download', HTMLElement).textContent = texts.ending.download;
    byId('erase', HTMLElement).textContent = texts.erase.action;
    bar.value = progress.share;
    bar.setAttribute('aria-label', texts.progress(progress));
  };
}

/** A click elsewhere, or Escape, closes the menu. */
function closeAside(menu: HTMLDetailsElement): void {
  document.addEventListener('click', ({target}) => {
    if (target instanceof Node && !menu.contains(target)) menu.open = false;
  });
  menu.addEventListener('keydown', ({key}) => {
    if (key !== 'Escape') return;
    menu.open = false;
    byId('menu-title', HTMLElement).focus();
  });
}
