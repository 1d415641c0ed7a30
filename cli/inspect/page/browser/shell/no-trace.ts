/** The page when there is nothing to show, or nothing yet. */

import {byId, element} from '../../../../serve/page/browser/element.ts';
import {safeLine} from '../elements/safe-text.ts';
import {localized} from '../language.ts';
import type {SourceError} from '../sources/source.ts';

const texts = localized({
  en: {
    loading: 'Loading the trace…',
    noRuns: ['There are no runs yet', 'The first one appears here as soon as it has begun.'],
    unauthorized: [
      'This address has no valid token',
      'Open the address that quorate inspect printed; it is valid while the command runs.',
    ],
    'not-found': ['This run does not exist', 'It may have been deleted.'],
    other: 'The trace could not be opened',
  },
  ja: {
    loading: 'トレースを読み込んでいます…',
    noRuns: ['実行はまだありません', '最初の実行が始まると、ここに表示されます。'],
    unauthorized: [
      'このアドレスには有効なトークンがありません',
      'quorate inspect が表示したアドレスを開いてください。コマンドの実行中のみ有効です。',
    ],
    'not-found': ['この実行は存在しません', '削除された可能性があります。'],
    other: 'トレースを開けませんでした',
  },
});

export function showLoading(): void {
  byId('stage', HTMLElement).replaceChildren(element('p', {class: 'empty loading'}, texts.loading));
}

export function showNoRuns(): void {
  const [title = '', text = ''] = texts.noRuns;
  show(title, text);
}

export function showRefusal({code, message}: SourceError): void {
  const isKnown = code === 'unauthorized' || code === 'not-found';
  const [title = '', text = ''] = isKnown ? texts[code] : [texts.other, message];
  show(title, text);
}

function show(title: string, text: string): void {
  document.title = `${title} · Quorate`;
  const words = [element('h2', {}, title), element('p', {class: 'muted'}, safeLine(text))];
  byId('stage', HTMLElement).replaceChildren(element('section', {class: 'ending'}, ...words));
}
