/** A question to a person: why it is asked, and what is decided. */

import type {JsonObject} from '../../../../../machines/domain/json.ts';
import {element} from '../../../../serve/page/browser/element.ts';
import {objectIn, objectsIn, textIn, textsIn} from '../derived/members.ts';
import {grouped} from '../elements/formatting.ts';
import {createJsonTree} from '../elements/json-tree.ts';
import {safeBlock, safeLine, safeText} from '../elements/safe-text.ts';
import {t} from '../language.ts';

const showAll = (length: number): string => t`show all ${grouped(length)} characters`;

/** `question`: as in `HumanQuestion`. */
export function questionDetails(question: JsonObject): HTMLElement {
  const plan = objectIn(question, 'plan');
  const preview = textIn(question, 'preview');
  return element(
    'div',
    {class: 'question'},
    element('p', {class: 'strong'}, safeText(textIn(question, 'reason') ?? '')),
    plan ? planDetails(plan) : undefined,
    preview === undefined ? undefined : previewBlock(preview),
  );
}

function planDetails(plan: JsonObject): HTMLElement {
  const tasks = objectsIn(plan, 'tasks').map((task) =>
    element(
      'li',
      {},
      element('span', {class: 'mono'}, safeLine(textIn(task, 'id') ?? '')),
      ' ',
      safeText(textIn(task, 'description') ?? ''),
      element('span', {class: 'muted'}, taskFacts(task)),
    ),
  );
  const tree = createJsonTree(t`The whole plan as JSON`);
  tree.show(plan);
  return element(
    'div',
    {class: 'plan'},
    element('p', {}, safeText(textIn(plan, 'objective') ?? '')),
    element('ol', {class: 'tasks', 'aria-label': t`Plan`}, ...tasks),
    element('details', {}, element('summary', {}, t`The whole plan as JSON`), tree.element),
  );
}

function taskFacts(task: JsonObject): HTMLElement {
  const needs = textsIn(task, 'depends_on');
  const facts = [
    textIn(task, 'tool') ?? '',
    needs.length > 0 ? `${t`after{:needs}`} ${needs.join(', ')}` : '',
  ];
  return element('span', {}, ' ', safeLine(facts.filter(Boolean).join(' · ')));
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
