/** One row of the tree of actors. */

import {escapeLine} from '../../../../../tools/escape.ts';
import {element} from '../../../../serve/page/browser/element.ts';
import {stateText} from '../derived/active.ts';
import type {ActorRow} from '../derived/actor-rows.ts';
import {safeLine} from '../elements/safe-text.ts';
import {t} from '../language.ts';
import {endWords, idleWords, waitWords, type WaitWords} from './wait-words.ts';

/** `isTimed`: one of its active states has a delay. */
export function drawRow(row: ActorRow, isTimed: boolean): HTMLElement {
  const {actor, id, level, position, size, isExpanded, hidden, isChanged} = row;
  const {machine = actor.logic} = actor;
  const state = stateText(actor.state);
  const node = element(
    'div',
    {
      role: 'treeitem',
      class: `actor-row${isChanged ? ' is-changed' : ''}`,
      'aria-level': level,
      'aria-posinset': position,
      'aria-setsize': size,
      'aria-expanded': isExpanded === undefined ? undefined : String(isExpanded),
      title: escapeLine(actor.path),
    },
    element('span', {class: 'twist', 'aria-hidden': 'true'}),
    element(
      'span',
      {class: 'actor-name'},
      element('span', {class: 'actor-id strong cut'}, safeLine(id)),
      machine === id ? undefined : element('span', {class: 'muted cut'}, safeLine(machine)),
      hidden > 0 ? element('span', {class: 'badge'}, t`${hidden} below`) : undefined,
      ...(isChanged ? changedMark() : []),
    ),
    element(
      'span',
      {class: 'actor-more'},
      state === '' ? undefined : element('span', {class: 'actor-state cut'}, safeLine(state)),
      ...wordsOf(row, isTimed).map(drawWait),
    ),
  );
  node.style.setProperty('--level', String(level - 1));
  return node;
}

function wordsOf({actor, waits}: ActorRow, isTimed: boolean): readonly WaitWords[] {
  if (actor.status !== 'active') return [endWords(actor.status)];
  if (waits.length > 0) return waitWords(waits);
  return actor.machine === undefined ? [] : [idleWords(isTimed)];
}

function changedMark(): HTMLElement[] {
  return [
    element('span', {class: 'delta', 'aria-hidden': 'true', title: t`changed{:row}`}, 'Δ'),
    element('span', {class: 'visually-hidden'}, t`changed{:row}`),
  ];
}

function drawWait({kind, text}: WaitWords): HTMLElement {
  return element('span', {class: `wait cut is-${kind}`}, safeLine(text));
}
