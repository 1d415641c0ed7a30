/** Splits a message of an agent into parts, so that the question stands out. */

import type {Field, Message} from './sync/wire.ts';

export interface Part {
  readonly kind: 'aside' | 'question' | 'hint' | 'refusal';
  readonly text: string;
}

/**
 * The last paragraph is the question. When it begins with the name of the field, the lines below it are hints. Lists that the page
 * shows itself are left out: the answers in the review, the choices as buttons. A refusal is shown without the repeated question.
 */
export function partsOf(
  {text, agent, field: id, refuses}: Message,
  fields: readonly Field[],
): Part[] {
  const field = fields.find((each) => each.id === id);
  const listed = agent === 'confirmation' ? withoutAnswers(text, fields) : text;
  const shown = withoutChoices(listed, field);
  const paragraphs = shown.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== '');
  if (refuses === true && field) return [{kind: 'refusal', text: refusalIn(paragraphs, field)}];
  const asides = paragraphs.slice(0, -1);
  const kind = refuses === true ? 'refusal' : 'aside';
  return [
    ...asides.map((aside) => ({kind, text: aside}) as const),
    ...questionIn(paragraphs.at(-1) ?? '', field?.label),
  ];
}

/** The question is a paragraph of its own, or the last line. */
function refusalIn(paragraphs: readonly string[], {label}: Field): string {
  const said = paragraphs.length > 1 ? paragraphs.slice(0, -1) : paragraphs;
  const lines = said.join('\n').split('\n');
  const isRepeated = lines.at(-1)?.includes(label) === true;
  const kept = isRepeated && lines.length > 1 ? lines.slice(0, -1) : lines;
  return kept.join('\n').replace(/[:：]$/, '.');
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

/** With the line above the list, which asks for a choice. */
function withoutChoices(text: string, field: Field | undefined): string {
  const {choices = []} = field ?? {};
  const lines = text.split('\n');
  const isChoice = (line: string): boolean => /^\d+\. |^…/.test(line) && isListed(line, choices);
  const first = lines.findIndex(isChoice);
  if (first < 0) return text;
  const above = lines.slice(0, first - 1);
  const isRequest = field !== undefined && above.some((line) => line.startsWith(field.label));
  return lines.filter((line, at) => !isChoice(line) && !(isRequest && at === first - 1)).join('\n');
}

function isListed(line: string, choices: readonly string[]): boolean {
  return line.startsWith('…') || choices.includes(line.replace(/^\d+\. /, ''));
}
