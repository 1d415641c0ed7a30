/** The top of the page: the trace, its state, where it came from, and the other traces. */

import type {TraceHead, TraceRow} from '../../../../../machines/trace/step.ts';
import {escapeLine} from '../../../../../tools/escape.ts';
import {byId, element} from '../../../../serve/page/browser/element.ts';
import {safeLine} from '../elements/safe-text.ts';
import {language, t} from '../language.ts';
import type {Stage, View} from '../stage.ts';
import {placeText} from './place.ts';

const states = {
  running: t`running`,
  waiting: t`waits for a person`,
  suspended: t`suspended`,
  crashed: t`crashed: its process has died`,
  imported: t`from another journal, read only`,
  outdated: t`of another version, read only`,
  damaged: t`damaged, read only`,
};

const day = new Intl.DateTimeFormat(language, {dateStyle: 'medium', timeStyle: 'short'});

export interface Heading {
  readonly show: (view: View) => void;
  /** The traces to choose from. */
  readonly list: (rows: readonly TraceRow[]) => void;
}

export function createHeading({source, openTrace}: Pick<Stage, 'source' | 'openTrace'>): Heading {
  const title = element('h1', {class: 'cut'});
  const facts = element('p', {class: 'facts'});
  const choice = element('select', {'aria-label': t`Other runs`, hidden: true});
  const notice = element('p', {class: 'notice', hidden: true});
  let current: TraceHead | undefined;
  let heads: readonly TraceRow[] = [];

  const drawList = (): void => {
    const head = current;
    const isListed = heads.some(({id}) => id === head?.id);
    const all = head && !isListed ? [head, ...heads] : heads;
    choice.hidden = all.length < 2;
    choice.replaceChildren(...all.map((each) => optionOf(each, each.id === head?.id)));
  };
  choice.addEventListener('change', () => openTrace(choice.value));
  byId('top', HTMLElement).append(
    element('div', {class: 'top-row'}, element('div', {class: 'top-title'}, title, facts), choice),
    notice,
  );
  return {
    show: (view) => {
      const {head} = view;
      const text = noticeOf(view);
      notice.hidden = text === '';
      if (notice.textContent !== text) notice.replaceChildren(safeLine(text));
      if (head === current) return;
      current = head;
      document.title = `${escapeLine(head.title || head.form)} · Quorate`;
      title.replaceChildren(safeLine(head.title || head.form));
      title.title = escapeLine(head.title);
      facts.replaceChildren(...factsOf(head, source.isLive));
      drawList();
    },
    list: (given) => {
      // An open list of choices stays open.
      if (JSON.stringify(given) === JSON.stringify(heads)) return;
      heads = given;
      drawList();
    },
  };
}

function optionOf({id, title, form, state, openedAt}: TraceRow, isSelected: boolean): HTMLElement {
  const name = `${title || form} – ${stateName(state)}, ${day.format(openedAt)}`;
  return element('option', {value: id, selected: isSelected}, escapeLine(name));
}

function factsOf({id, form, state, openedAt, origin}: TraceHead, isLive: boolean): HTMLElement[] {
  return [
    element('span', {class: `badge trace-${state}`}, stateName(state)),
    element('span', {}, safeLine(form)),
    element('time', {datetime: new Date(openedAt).toISOString()}, day.format(openedAt)),
    element('code', {class: 'muted'}, safeLine(id)),
    ...(origin ? [originOf(origin, isLive)] : []),
  ];
}

/** A file holds one trace, so that there is nothing to lead to. */
function originOf({id, seq}: NonNullable<TraceHead['origin']>, isLive: boolean): HTMLElement {
  const text = safeLine(t`Fork of ${id} after ${seq}`);
  return isLive
    ? element('a', {href: placeText({run: id, at: seq})}, text)
    : element('span', {}, text);
}

function stateName(state: string): string {
  const names: Readonly<Record<string, string>> = states;
  return names[state] ?? state;
}

function noticeOf({head, gaps, moment, moments, index}: View): string {
  const seq = moments.steps[index]?.seq ?? moment.seq;
  const gap = gaps.find(({from, to = Number.POSITIVE_INFINITY}) => from <= seq && seq <= to);
  if (gap) return t`The states at this moment are unknown: ${gap.reason}`;
  return head.isThisVersion
    ? ''
    : t`Another version of Quorate wrote this run. This version follows its entries; the shown prompts may differ from the sent ones.`;
}
