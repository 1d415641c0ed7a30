/** The page when there is nothing to show, or nothing yet. */

import {byId, element} from '../../../../serve/page/browser/element.ts';
import {safeLine} from '../elements/safe-text.ts';
import {t} from '../language.ts';
import type {SourceError} from '../sources/source.ts';

const refusals = {
  unauthorized: [
    t`This address has no valid token`,
    t`Open the address that quorate inspect printed; it is valid while the command runs.`,
  ],
  'not-found': [t`This run does not exist`, t`It may have been deleted.`],
};

export function showLoading(): void {
  byId('stage', HTMLElement).replaceChildren(
    element('p', {class: 'empty loading'}, t`Loading the trace…`),
  );
}

export function showNoRuns(): void {
  show(t`There are no runs yet`, t`The first one appears here as soon as it has begun.`);
}

export function showRefusal({code, message}: SourceError): void {
  const isKnown = code === 'unauthorized' || code === 'not-found';
  const [title = '', text = ''] = isKnown
    ? refusals[code]
    : [t`The trace could not be opened`, message];
  show(title, text);
}

function show(title: string, text: string): void {
  document.title = `${title} · Quorate`;
  const words = [element('h2', {}, title), element('p', {class: 'muted'}, safeLine(text))];
  byId('stage', HTMLElement).replaceChildren(element('section', {class: 'ending'}, ...words));
}
