/** All answers before they are submitted, and the one button that submits them. */

import type {AnswerList} from './answer-list.ts';
import {button, byId, element} from './element.ts';
import {whenChanged} from './rendered.ts';
import type {Texts} from './texts/texts.ts';
import type {Submission} from './wire.ts';

export interface ReviewActions {
  /** Resolves when it is submitted, rejects when it is not. */
  readonly submit: () => Promise<void>;
}

export function createReview(
  list: AnswerList,
  {submit}: ReviewActions,
): (submission: Submission, texts: Texts) => void {
  const section = byId('review', HTMLElement);
  const title = element('h2', {id: 'review-title', tabindex: -1});
  const lead = element('p', {class: 'lead'});
  const open = element('div', {id: 'review-open'});
  const press = button('', {class: 'primary', 'aria-describedby': 'review-open'}, () => {
    press.disabled = true;
    section.setAttribute('aria-busy', 'true');
    void submit().finally(() => {
      press.disabled = false;
      section.removeAttribute('aria-busy');
    });
  });
  section.append(title, lead, list.node, open, press);

  const draw = whenChanged(({texts, labels, canSubmit}: Drawn) => {
    title.textContent = texts.review.title;
    lead.textContent = texts.review.lead;
    press.textContent = texts.review.submit;
    press.disabled = !canSubmit;
    open.replaceChildren(...(labels.length > 0 ? drawOpen(labels, texts) : []));
  });

  return (submission, texts) => {
    const {state, fields, open: ids, canSubmit} = submission;
    const wasHidden = section.hidden;
    section.hidden = state !== 'confirming';
    if (section.hidden) return;
    list.show({fields, current: undefined, texts});
    const labels = fields.flatMap(({id, label}) => (ids.includes(id) ? [label] : []));
    draw({texts, labels, canSubmit});
    if (wasHidden) {
      title.focus({preventScroll: true});
      section.scrollIntoView({block: 'start', behavior: 'instant'});
    }
  };
}

interface Drawn {
  readonly texts: Texts;
  /** Of what is still needed. */
  readonly labels: readonly string[];
  readonly canSubmit: boolean;
}

function drawOpen(labels: readonly string[], texts: Texts): HTMLElement[] {
  const items = labels.map((label) => element('li', {}, label));
  return [element('p', {}, texts.review.open), element('ul', {}, ...items)];
}
