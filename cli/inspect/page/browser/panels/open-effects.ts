/** The effects without an outcome: what the whole trace waits for now. */

import {escapeLine} from '../../../../../tools/escape.ts';
import {button, element} from '../../../../serve/page/browser/element.ts';
import {type Wait, waitFor} from '../derived/waiting.ts';
import {safeLine} from '../elements/safe-text.ts';
import {t} from '../language.ts';
import type {Stage, View} from '../stage.ts';
import {waitWords} from './wait-words.ts';

/** Persons first: a run may wait for them without end. */
const order: readonly Wait['kind'][] = ['person', 'resume', 'model', 'tool', 'effect'];
const most = 20;

interface OpenWait extends Wait {
  /** The path of the actor that waits. */
  readonly by: string;
}

export function createOpenEffects({select}: Pick<Stage, 'select'>): {
  readonly element: HTMLElement;
  readonly show: (view: View) => void;
} {
  const title = element('h2');
  const list = element('ul');
  const section = element('section', {class: 'open-effects', tabindex: 0}, title, list);
  let shown: View['moment']['open'] | undefined;
  return {
    element: section,
    show: ({moment}) => {
      if (moment.open === shown) return;
      shown = moment.open;
      const waits = openWaits(moment);
      section.hidden = waits.length === 0;
      title.textContent = t`Open effects: ${waits.length}`;
      section.setAttribute('aria-label', title.textContent);
      list.replaceChildren(
        ...waits.slice(0, most).map((wait) => itemOf(wait, () => select(wait.by))),
        ...(waits.length > most ? [element('li', {}, t`${waits.length - most} more`)] : []),
      );
    },
  };
}

function openWaits({open, actors}: View['moment']): readonly OpenWait[] {
  const waits = [...open.values()].flatMap((request) => {
    const actor = actors.get(request.actor);
    if (!actor) return [];
    const {kind, text, path} = waitFor(actor, request);
    return {kind, text, path, by: actor.parent ?? path};
  });
  return waits.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
}

function itemOf(wait: OpenWait, press: () => void): HTMLElement {
  const [words] = waitWords([wait]);
  const made = button('', {class: 'quiet', title: escapeLine(wait.by)}, press);
  made.append(
    element('span', {class: `wait cut is-${wait.kind}`}, safeLine(words?.text ?? '')),
    element('span', {class: 'muted cut'}, safeLine(wait.by.split('/').slice(-2).join('/'))),
  );
  return element('li', {}, made);
}
