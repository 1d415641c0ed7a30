/** Splits a message of an agent into parts, so that the question stands out. */

import type {Field, Message} from './sync/wire.ts';

export interface Part {
  readonly kind: 'aside' | 'question' | 'hint';
  readonly text: string;
}

/**
 * The last paragraph is the question. When it begins with the name of the field, the lines below it are hints. Lines that
 * list the answers are left out: the review below shows them.
 */
export function partsOf({text, agent, field}: Message, fields: readonly Field[]): Part[] {
  const shown = agent === 'confirmation' ? withoutAnswers(text, fields) : text;
  const paragraphs = shown.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== '');
  const asides = paragraphs.slice(0, -1);
  const label = fields.find(({id}) => id === field)?.label;
  return [
    ...asides.map((aside) => ({kind: 'aside' as const, text: aside})),
    ...questionIn(paragraphs.at(-1) ?? '', label),
  ];
}

function questionIn(paragraph: string, label: string | undefined): Part[] {
  const lines = paragraph.split('\n');
  const at = label === undefined ? -1 : lines.findIndex((line) => line.startsWith(label));
  if (at < 0) return [{kind: 'question', text: paragraph}];
  const [before, [question = '', ...after]] = [lines.slice(0, at), lines.slice(at)];
  return [
    ...(before.length > 0 ? [{kind: 'aside' as const, text: before.join('\n')}] : []),
    {kind: 'question', text: question},
    ...(after.length > 0 ? [{kind: 'hint' as const, text: after.join('\n')}] : []),
  ];
}

function withoutAnswers(text: string, fields: readonly Field[]): string {
  const isAnswer = (line: string): boolean => {
    const [, named] = /^\d+\. (.*)$/.exec(line) ?? [];
    return named !== undefined && fields.some(({label}) => named.startsWith(label));
  };
  return text
    .split('\n')
    .filter((line) => !isAnswer(line))
    .join('\n');
}
