/** A question to a person: why it is asked, and what is decided. */

import type {HumanQuestion} from '../../../../../machines/domain/human.ts';
import {asJson} from '../../../../../machines/domain/json.ts';
import type {Plan} from '../../../../../machines/domain/plan.ts';
import {element} from '../../../../serve/page/browser/element.ts';
import {grouped} from '../elements/formatting.ts';
import {createJsonTree} from '../elements/json-tree.ts';
import {safeBlock, safeLine, safeText, textSpan} from '../elements/safe-text.ts';
import {t} from '../language.ts';

const showAll = (length: number): string => t`show all ${grouped(length)} characters`;

export function questionDetails({reason, plan, preview}: HumanQuestion): HTMLElement {
  return element(
    'div',
    {class: 'question'},
    element('p', {class: 'strong'}, safeText(reason)),
    plan ? planDetails(plan) : undefined,
    preview === undefined ? undefined : previewBlock(preview),
  );
}

function planDetails(plan: Plan): HTMLElement {
  const tasks = plan.tasks.map(({id, description, tool = '', depends_on: needs = []}) => {
    const facts = [tool, needs.length > 0 ? `${t`after{:needs}`} ${needs.join(', ')}` : ''];
    return element(
      'li',
      {},
      textSpan('mono', id),
      ' ',
      safeText(description),
      element('span', {class: 'muted'}, ' ', safeLine(facts.filter(Boolean).join(' · '))),
    );
  });
  const tree = createJsonTree(t`The whole plan as JSON`);
  tree.show(asJson(plan));
  return element(
    'div',
    {class: 'plan'},
    element('p', {}, safeText(plan.objective)),
    element('ol', {class: 'tasks', 'aria-label': t`Plan`}, ...tasks),
    element('details', {}, element('summary', {}, t`The whole plan as JSON`), tree.element),
  );
}

/** Lines of a diff are coloured. */
function previewBlock(preview: string): HTMLElement {
  const isDiff = /^(?:--- |@@ )/m.test(preview);
  const block = isDiff ? diffBlock(preview) : safeBlock(preview, showAll);
  return element('figure', {class: 'preview', 'aria-label': t`Subject`}, block);
}

const maxDiffLines = 400;

function diffBlock(diff: string): HTMLElement {
  const lines = diff.split('\n');
  const drawn = lines.slice(0, maxDiffLines).map((line) => {
    const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : '';
    return element('span', {class: `diff-line ${kind}`}, safeText(line), '\n');
  });
  const rest = lines.slice(maxDiffLines).join('\n');
  return element(
    'pre',
    {class: 'text-block'},
    ...drawn,
    rest === '' ? undefined : safeBlock(rest, showAll),
  );
}
