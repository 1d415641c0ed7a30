/** Redirections and here-documents of a shell text, as parsed by unbash. */

import type {HereDoc, Redirection} from 'unbash';

import type {RawRedirect, RawWord} from './grammar.ts';
import {opaquePart, parseWord, toParts, type ParseScript} from './parse-word.ts';

export function parseRedirect(from: Redirection, parseScript: ParseScript): RawRedirect {
  const operator = from.type === 'Redirect' ? from.operator : 'here';
  const usual = operator === 'here' || operator.startsWith('<') ? 0 : 1;
  const descriptor = from.descriptor?.type === 'FileDescriptor' ? from.descriptor.value : usual;
  return {operator, descriptor, target: targetOf(from, parseScript)};
}

function targetOf(from: Redirection, parseScript: ParseScript): RawWord {
  if (from.type === 'HereDoc') return hereDocument(from, parseScript);
  if (!from.target) return opaque('', 'a redirection to nothing');
  if (from.descriptor?.type === 'FileDescriptorVariable') {
    return opaque(from.target.text, 'a descriptor in a variable');
  }
  return parseWord(from.target, parseScript);
}

/** Shells agree on the end of a here-document only if its delimiter is a plain word on a line of its own. */
function hereDocument(
  {delimiter, body, closing, operator}: HereDoc,
  parseScript: ParseScript,
): RawWord {
  const why = 'a here-document whose end can be read in two ways';
  if (!delimiter || !closing || !/^(?:\\?[\w.-]+|'[\w.-]+'|"[\w.-]+")$/.test(delimiter.text)) {
    return opaque(body.text, why);
  }
  const lines = body.text.split('\n');
  const isEnd = (line: string) =>
    line.replace(operator === '<<-' ? /^\t+/ : '', '') === delimiter.value;
  if (lines.some(isEnd)) return opaque(body.text, why);
  if (delimiter.quoted) {
    return {parts: [{kind: 'text', text: body.text, quoted: true}], written: body.text};
  }
  if (/\\\n/.test(body.text)) return opaque(body.text, 'a here-document with broken lines');
  return {parts: toParts(body.parts, body.text, 'here', parseScript), written: body.text};
}

function opaque(written: string, why: string): RawWord {
  return {parts: [opaquePart(written, why)], written};
}
