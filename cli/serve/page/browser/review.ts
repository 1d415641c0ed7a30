/** All answers before they are submitted, and the button that submits them. */

import type {AnswerList} from './answer-list.ts';
import {button, byId, element, whenChanged} from './element.ts';
import type {Shown} from './sync/shown.ts';
import type {Texts} from './texts/texts.ts';
import {assumedSettings} from './values.ts';

export interface ReviewActions {
  /** Resolves when it is submitted, rejects when it is not. */
  readonly submit: () => Promise<void>;
}

/** The returned function returns true while the review is shown: it does not change while an answer is being processed. */
export function createReview(
  list: AnswerList,
  {submit}: ReviewActions,
): (shown: Shown, texts: Texts) => boolean {
  const section = byId('review', HTMLElement);
  const title = element('h2', {id: 'review-title', tabindex: -1});
  const lead = element('p', {class: 'lead'});
  const assumed = element('p', {class: 'lead', id: 'review-assumed'});
  const open = element('div', {id: 'review-open'});
  let latest: Drawn | undefined;
  let isSubmitting = false;

  const redraw = (): void => {
    if (!latest) return;
    const {texts, labels, canSubmit, settings} = latest;
    title.textContent = texts.review.title;
    lead.textContent = texts.review.lead;
    assumed.textContent = settings === '' ? '' : texts.review.assumed(settings);
    press.textContent = isSubmitting ? texts.review.submitting : texts.review.submit;
    press.disabled = isSubmitting || !canSubmit;
    open.replaceChildren(...(labels.length > 0 ? drawOpen(labels, texts) : []));
  };
  const mark = (isAtIt: boolean): void => {
    isSubmitting = isAtIt;
    redraw();
  };
  const press = button('', {class: 'primary', 'aria-describedby': 'review-open'}, () => {
    mark(true);
    void submit().finally(() => mark(false));
  });
  const draw = whenChanged((data: Drawn) => {
    latest = data;
    redraw();
  });
  section.append(title, lead, list.node, assumed, open, press);

  return ({submission, sending}, texts) => {
    const {state, fields, open: ids, canSubmit, isAtWork} = submission;
    const isBusy = isAtWork || sending.length > 0;
    const wasHidden = section.hidden;
    section.hidden = isBusy ? wasHidden : state !== 'confirming';
    if (section.hidden) return false;
    list.show({fields, current: undefined, texts});
    const labels = fields.flatMap(({id, label}) => (ids.includes(id) ? [label] : []));
    const settings = assumedSettings(submission, texts).join(', ');
    draw({texts, labels, canSubmit, settings});
    if (wasHidden) {
      title.focus({preventScroll: true});
      section.scrollIntoView({block: 'start', behavior: 'instant'});
    }
    return true;
  };
}

interface Drawn {
  readonly texts: Texts;
  /** Labels of the fields that still need an answer. */
  readonly labels: readonly string[];
  readonly canSubmit: boolean;
  /** Those that the person did not state. */
  readonly settings: string;
}

function drawOpen(labels: readonly string[], texts: Texts): HTMLElement[] {
  const items = labels.map((label) => element('li', {}, label));
  return [element('p', {}, texts.review.open), element('ul', {}, ...items)];
}
