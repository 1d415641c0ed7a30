/** Answers of servers as text: a text of others, safe to show, with a note in place of images and other data. */

import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import {escapeForTerminal, escapeLine} from '../escape.ts';

/** Listed resources or prompts. */
const maxListed = 500;
const maxLine = 500;

export interface ServerAnswer {
  readonly content?: readonly unknown[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

export function isFailure({isError}: ServerAnswer): boolean {
  return isError === true;
}

/** Never throws. */
export function answerText({content = [], structuredContent}: ServerAnswer): string {
  const blocks = content.map(blockText);
  const structured = structuredContent === undefined ? [] : [JSON.stringify(structuredContent)];
  // Servers repeat a structured result as text, for older clients.
  const added = structured.filter((json) => !blocks.some((text) => isSame(text, json)));
  return escapeForTerminal([...blocks, ...added].join('\n').toWellFormed());
}

function isSame(text: string, json: string): boolean {
  if (text === json) return true;
  try {
    return JSON.stringify(JSON.parse(text)) === json;
  } catch {
    return false;
  }
}

function blockText(block: unknown): string {
  if (!isJsonObject(block)) return '';
  const {type, text, mimeType, data, resource, uri, name} = block;
  if (type === 'text') return textOf(text);
  if (type === 'image' || type === 'audio') return note(type, mimeType, data);
  if (type === 'resource_link') return `[link to ${escapeLine(`${textOf(name)} ${textOf(uri)}`)}]`;
  return type === 'resource' && isJsonObject(resource)
    ? resourceText(resource)
    : `[${escapeLine(textOf(type))}, not shown]`;
}

function resourceText({uri, text, blob, mimeType}: JsonObject): string {
  const head = `[${escapeLine(textOf(uri))}]`;
  return text === undefined
    ? `${head} ${note('data', mimeType, blob)}`
    : `${head}\n${textOf(text)}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** `data` is base64. */
function note(what: string, mimeType: unknown, data: unknown): string {
  const bytes = typeof data === 'string' ? Math.floor((data.length * 3) / 4) : 0;
  return `[${what}, ${escapeLine(textOf(mimeType) || 'unknown type').slice(0, 100)}, ${bytes} bytes, not shown]`;
}

/** One line for each resource, template or prompt. Never throws. */
export function listText(items: readonly object[]): string {
  if (items.length === 0) return 'There are none.';
  const lines = items.slice(0, maxListed).map(lineFor);
  const more = items.length - lines.length;
  return [...lines, ...(more > 0 ? [`[${more} more]`] : [])].join('\n');
}

function lineFor(item: object): string {
  const {uri, uriTemplate, name, description, arguments: args}: Record<string, unknown> = {...item};
  const names = Array.isArray(args) ? args.map(argumentName) : [];
  const head = [uri ?? uriTemplate, name].filter((part) => typeof part === 'string').join(' ');
  const tail = typeof description === 'string' ? `: ${description}` : '';
  const takes = names.length > 0 ? ` (${names.join(', ')})` : '';
  return escapeLine(`${head}${takes}${tail}`.slice(0, maxLine).toWellFormed());
}

function argumentName(argument: unknown): string {
  return isJsonObject(argument) ? textOf(argument['name']) : '';
}
