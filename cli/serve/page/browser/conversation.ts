/** The messages, including those being sent. Draws only new ones, so that a screen reader reads only those. */

import {byId, element, secretText} from './element.ts';
import type {Sending, Shown} from './sync/shown.ts';
import type {Message, Submission} from './sync/wire.ts';
import type {Texts} from './texts/texts.ts';
import {type Part, partsOf} from './wording.ts';

interface Spoken {
  readonly from: Message['from'];
  readonly parts: readonly Part[];
  readonly isSecret: boolean;
  readonly fate?: Sending['fate'];
}

interface Drawn {
  readonly node: HTMLElement;
  /** The message as data, for comparison. */
  readonly key: string;
}

export function createConversation(): (shown: Shown, texts: Texts) => void {
  const log = byId('log', HTMLElement);
  const working = byId('working', HTMLElement);
  let drawn: readonly Drawn[] = [];

  return (shown, texts) => {
    byId('conversation-title', HTMLElement).textContent = texts.conversation;
    byId('description', HTMLElement).textContent = unsaidDescription(shown.submission);
    const before = drawn;
    drawn = spokenIn(shown).map((spoken, index) => {
      const key = JSON.stringify([spoken.from, spoken.parts, spoken.isSecret, texts.language]);
      const old = before[index];
      const node = old?.key === key ? old.node : drawSpoken(spoken, texts);
      markFate(node, spoken.fate, texts);
      return {key, node};
    });
    replace(log, before, drawn);
    markCurrent(drawn);
    if (before.length === 0) readAloudFromNowOn(log);
    working.hidden = !isWorking(shown);
    working.replaceChildren(...dots(), element('span', {class: 'visually-hidden'}, texts.working));
  };
}

/** The question that waits for an answer: a refusal leaves it as it is. */
function markCurrent(drawn: readonly Drawn[]): void {
  const questions = drawn.filter(({node}) => node.querySelector('.question') !== null);
  for (const {node} of drawn) node.classList.toggle('current', node === questions.at(-1)?.node);
}

/** Earlier messages are not read aloud again to a returning person; a first question is. */
function readAloudFromNowOn(log: HTMLElement): void {
  if (log.children.length <= 1) log.setAttribute('aria-live', 'polite');
  else setTimeout(() => log.setAttribute('aria-live', 'polite'), 1000);
}

/** Empty when the greeting contains the description. */
function unsaidDescription({description = '', messages}: Submission): string {
  return messages[0]?.text.includes(description) ? '' : description;
}

function spokenIn({submission, sending}: Shown): Spoken[] {
  const secret = new Set(
    submission.fields.flatMap(({id, sensitivity}) => (sensitivity === 'secret' ? [id] : [])),
  );
  const said = submission.messages.map((message) => ({
    from: message.from,
    parts: message.from === 'agent' ? partsOf(message, submission.fields) : whole(message.text),
    isSecret: message.from === 'person' && secret.has(message.field ?? ''),
  }));
  const pending = sending
    .filter(({fate}) => fate !== 'arrived')
    .map(({text, isSecret, fate}) => ({
      from: 'person' as const,
      parts: whole(text),
      isSecret,
      fate,
    }));
  return [...said, ...pending];
}

function whole(text: string): Part[] {
  return [{kind: 'aside', text}];
}

function isWorking({submission, sending}: Shown): boolean {
  return submission.isAtWork || sending.some(({fate}) => fate !== 'waiting');
}

function replace(log: HTMLElement, before: readonly Drawn[], after: readonly Drawn[]): void {
  const kept = new Set(after.map(({node}) => node));
  for (const {node} of before) if (!kept.has(node)) node.remove();
  for (const [index, {node}] of after.entries()) {
    const there = log.children[index] ?? null;
    if (there !== node) log.insertBefore(node, there);
  }
}

function drawSpoken({from, parts, isSecret}: Spoken, texts: Texts): HTMLElement {
  const speaker = element('span', {class: 'visually-hidden'}, texts.speaker[from]);
  const body = parts.map(({kind, text}) =>
    element(
      'p',
      {class: `text ${kind}`},
      isSecret ? secretText(text, texts.yourAnswer, texts) : text,
    ),
  );
  return element('article', {class: `said ${from}`}, speaker, ...body);
}

function markFate(node: HTMLElement, fate: Sending['fate'] | undefined, texts: Texts): void {
  const text = fate === 'sending' || fate === 'waiting' ? texts[fate] : '';
  const mark = node.querySelector('.fate');
  if ((mark?.textContent ?? '') === text) return;
  mark?.remove();
  if (text !== '') node.append(element('p', {class: 'fate'}, text));
}

function dots(): HTMLElement[] {
  return [1, 2, 3].map(() => element('span', {class: 'dot', 'aria-hidden': 'true'}));
}
