/** Parts of the page that open and close: dialogs, and panels behind tabs. */

import {button, element} from '../../../../serve/page/browser/element.ts';
import {t} from '../language.ts';
import type {Panel} from '../stage.ts';

export function createDialog(title: string, ...content: readonly HTMLElement[]): HTMLDialogElement {
  const close = button('×', {class: 'quiet', 'aria-label': t`Close`}, () => dialog.close());
  const head = element('div', {class: 'panel-head'}, element('h2', {}, title), close);
  const panel = element('div', {class: 'panel'}, head, ...content);
  const dialog = element('dialog', {'aria-label': title}, panel);
  dialog.addEventListener('click', ({target}) => {
    if (target === dialog) dialog.close();
  });
  document.body.append(dialog);
  return dialog;
}

/** Keys of the page have no effect while something is typed or a dialog is open. */
export function isTyping({target}: Event): boolean {
  return (
    document.querySelector('dialog[open]') !== null ||
    (target instanceof Element && target.closest('input:not([type=range])') !== null)
  );
}

// A list of tabs and the panel of the selected one, with the keys of the ARIA pattern.

export interface Tab {
  readonly id: string;
  readonly title: string;
  readonly panel: Panel;
}

export interface Tabs {
  readonly element: HTMLElement;
  readonly selected: () => Tab;
  readonly select: (id: string) => void;
}

/** At least one tab; a single one has no list. `changed` is called when another one is selected. */
export function createTabs(
  label: string,
  tabs: readonly [Tab, ...Tab[]],
  changed: () => void,
): Tabs {
  let [selected] = tabs;
  const list = element('div', {class: 'tabs', role: 'tablist', 'aria-label': label});
  const panels = tabs.map(({id, title, panel}) => wrapped(id, title, panel, tabs.length > 1));
  const buttons = tabs.map((tab) =>
    button(
      tab.title,
      {class: 'tab', role: 'tab', id: `tab-${tab.id}`, 'aria-controls': `panel-${tab.id}`},
      () => select(tab.id),
    ),
  );

  const mark = (): void => {
    for (const [index, tab] of tabs.entries()) {
      const isSelected = tab === selected;
      buttons[index]?.setAttribute('aria-selected', String(isSelected));
      buttons[index]?.setAttribute('tabindex', isSelected ? '0' : '-1');
      if (panels[index]) panels[index].hidden = !isSelected;
      if (isSelected) buttons[index]?.scrollIntoView({block: 'nearest', inline: 'nearest'});
    }
  };
  const select = (id: string): void => {
    selected = tabs.find((tab) => tab.id === id) ?? selected;
    mark();
    changed();
  };
  list.addEventListener('keydown', (event) => {
    const to = targetOf(event.key, tabs.indexOf(selected), tabs.length);
    const tab = to === undefined ? undefined : tabs[to];
    if (!tab || to === undefined) return;
    event.preventDefault();
    select(tab.id);
    buttons[to]?.focus();
  });
  list.append(...buttons);
  mark();
  const group = element('div', {class: 'group'}, tabs.length > 1 ? list : undefined, ...panels);
  return {element: group, selected: () => selected, select};
}

function wrapped(
  id: string,
  title: string,
  {element: content}: Panel,
  isTab: boolean,
): HTMLElement {
  return isTab
    ? element(
        'div',
        {class: 'group-panel', id: `panel-${id}`, role: 'tabpanel', 'aria-labelledby': `tab-${id}`},
        content,
      )
    : element('section', {class: 'group-panel', id: `panel-${id}`, 'aria-label': title}, content);
}

function targetOf(key: string, index: number, length: number): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowRight: (index + 1) % length,
    ArrowLeft: (index + length - 1) % length,
    Home: 0,
    End: length - 1,
  };
  return targets[key];
}
