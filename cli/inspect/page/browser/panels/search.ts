/** Search over everything in the trace. It continues while the person types; results arrive as they are found. */

import {button, element} from '../../../../serve/page/browser/element.ts';
import {type Hit, type Search, searchTrace} from '../derived/search.ts';
import {clockTime, grouped, shortPath} from '../elements/formatting.ts';
import {safeLine} from '../elements/safe-text.ts';
import {localized} from '../language.ts';
import {callStore} from '../sources/call-store.ts';
import type {MakePanel, Stage, View} from '../stage.ts';

const words = localized({
  en: {
    search: 'Search',
    placeholder: 'Search entries, contexts, prompts …',
    results: 'Results',
    places: {
      entry: 'entry',
      report: 'report',
      message: 'message',
      actor: 'actor',
      prompt: 'prompt',
      reply: 'reply',
    },
    step: (seq: number, time: string) => `Entry ${seq} · ${time}`,
    searching: 'searching …',
    found: (count: number) => `${grouped(count)} found`,
    more: (count: number) => `and ${grouped(count)} more; a longer text finds fewer`,
    nothing: 'Nothing contains this text.',
    hint: 'Finds plain text in entries, reports, actors, messages, contexts, ballots, prompts and replies, in upper or lower case.',
  },
  ja: {
    search: '検索',
    placeholder: 'エントリー、コンテキスト、プロンプトなどを検索…',
    results: '検索結果',
    places: {
      entry: 'エントリー',
      report: '報告',
      message: 'メッセージ',
      actor: 'アクター',
      prompt: 'プロンプト',
      reply: '応答',
    },
    step: (seq: number, time: string) => `エントリー ${seq} · ${time}`,
    searching: '検索中…',
    found: (count: number) => `${grouped(count)} 件`,
    more: (count: number) => `ほか ${grouped(count)} 件。長い語句で絞り込めます`,
    nothing: 'この語句は見つかりません。',
    hint: 'エントリー、報告、アクター、メッセージ、コンテキスト、投票、プロンプト、応答から語句を探します。大文字と小文字は区別しません。',
  },
});

const limit = 200;
/** Longer slices would delay what is typed. */
const sliceMs = 8;
const restMs = 120;

export const searchPanel: MakePanel = (stage) => {
  const store = callStore(stage);
  const field = element('input', {
    type: 'search',
    'aria-label': words.search,
    placeholder: words.placeholder,
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const count = element('p', {class: 'muted', role: 'status'});
  const results = element('ol', {class: 'results', 'aria-label': words.results});
  const hint = element('p', {class: 'empty'}, words.hint);
  const runner = searchRunner({stage, results, count});
  let timer: ReturnType<typeof setTimeout> | undefined;
  let searched: readonly unknown[] = [];

  const start = (view: View): void => {
    const text = field.value.trim();
    hint.hidden = text !== '';
    searched = [view.moments, view.moments.steps.length, store.of(view)];
    runner.start(text, view, store.of(view));
  };
  const later = (delay: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => start(stage.view()), delay);
  };
  field.addEventListener('input', () => later(restMs));
  const refresh = (view: View): void => {
    const now = [view.moments, view.moments.steps.length, store.of(view)];
    if (field.value.trim() === '' || now.every((each, at) => each === searched[at])) return;
    later(now[0] === searched[0] ? 1000 : 0);
  };
  store.onChange(() => refresh(stage.view()));
  const body = {class: 'panel-body', tabindex: 0, role: 'region', 'aria-label': words.results};
  return {
    element: element(
      'section',
      {class: 'panel search'},
      element('div', {class: 'panel-head'}, field, count),
      element('div', body, hint, results),
    ),
    show: refresh,
  };
};

interface Runner {
  /** Ends an earlier search. */
  readonly start: (
    text: string,
    view: View,
    calls: ReturnType<ReturnType<typeof callStore>['of']>,
  ) => void;
}

function searchRunner(parts: {
  readonly stage: Stage;
  readonly results: HTMLElement;
  readonly count: HTMLElement;
}): Runner {
  let current: Search | undefined;
  const run = (search: Search, text: string, view: View): void => {
    if (search !== current) return;
    const end = performance.now() + sliceMs;
    search.advance(() => performance.now() < end);
    draw(search, text, {...parts, view});
    if (!search.isDone) setTimeout(() => run(search, text, view));
  };
  return {
    start: (text, view, calls) => {
      current = searchTrace(text, {steps: view.moments.steps.slice(), calls, limit});
      parts.results.replaceChildren();
      run(current, text, view);
    },
  };
}

/** New hits are added below the drawn ones. */
function draw(
  {hits, more, isDone}: Search,
  text: string,
  {
    stage,
    results,
    count,
    view,
  }: {
    readonly stage: Stage;
    readonly results: HTMLElement;
    readonly count: HTMLElement;
    readonly view: View;
  },
): void {
  const drawn = results.querySelectorAll('.hit').length;
  for (const hit of hits.slice(drawn)) groupFor(hit, results, view).append(hitItem(hit, stage));
  count.textContent = text === '' ? '' : countText(hits.length, more, isDone);
}

function countText(found: number, more: number, isDone: boolean): string {
  if (found === 0) return isDone ? words.nothing : words.searching;
  const texts = [
    words.found(found),
    more > 0 ? words.more(more) : '',
    isDone ? '' : words.searching,
  ];
  return texts.filter(Boolean).join(' · ');
}

function groupFor({index}: Hit, results: HTMLElement, {moments}: View): HTMLElement {
  const last = results.lastElementChild;
  const hits = last?.querySelector<HTMLElement>('ul');
  if (last instanceof HTMLElement && hits && last.dataset['index'] === String(index)) return hits;
  const step = moments.steps[index];
  const list = element('ul');
  const title = step ? words.step(step.seq, clockTime(step.at)) : '';
  results.append(
    element('li', {'data-index': index, class: 'result'}, element('h2', {}, title), list),
  );
  return list;
}

function hitItem(hit: Hit, stage: Stage): HTMLElement {
  const {index, place, name, actor, call, snippet} = hit;
  const go = button('', {class: 'hit-link'}, () => {
    stage.goTo(index);
    const shown = actor === undefined ? undefined : machineAt(stage.view().moment, actor);
    if (shown !== undefined) stage.select(shown);
    if (call !== undefined) stage.openCall(call);
  });
  go.append(
    element(
      'span',
      {class: 'hit-place muted'},
      `${words.places[place]} `,
      element('span', {class: 'mono'}, safeLine(place === 'actor' ? shortPath(name) : name)),
    ),
    element(
      'span',
      {class: 'hit-text'},
      safeLine(snippet.before),
      element('mark', {}, safeLine(snippet.match)),
      safeLine(snippet.after),
    ),
  );
  return element('li', {class: 'hit'}, go);
}

/** The nearest machine: the actor itself may be an effect, or have ended in this moment. */
function machineAt({actors}: View['moment'], path: string): string | undefined {
  const ids = path.split('/');
  const paths = ids.map((_, cut) => ids.slice(0, ids.length - cut).join('/'));
  return paths.find((each) => actors.get(each)?.machine !== undefined);
}
