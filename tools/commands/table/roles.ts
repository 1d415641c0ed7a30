/** Parses lines that name roles: options, operands, and effects that do not depend on the words. */

import {didYouMean} from '../../../machines/domain/nearest.ts';
import {isRole, roleNames} from '../role.ts';
import {faultAt, type Line} from './lines.ts';

/**
 * `-q --quiet`, `-n --lines  text`, `--color  [text]`, `--arg  text reads`, as in {@link Program.options}. Throws for a word
 * that is not an option's name, or for an unknown role.
 */
export function parseOption(line: Line): string {
  const at = line.words.findIndex((word) => !isOptionName(word));
  const names = at < 0 ? line.words : line.words.slice(0, at);
  const odd = names.find((name) => !/^(?:\*|-NUM|-[^|=]+)$/.test(name));
  if (odd !== undefined) throw faultAt(line, `"${odd}" is not the name of an option`);
  return at < 0 ? names.join('|') : `${names.join('|')}=${parseValue(line, line.words.slice(at))}`;
}

/** `text`, `[text]`, `text reads`. */
function parseValue(line: Line, roles: readonly string[]): string {
  const attached = /^\[(.*)\]$/.exec(roles.join(' '))?.[1];
  const each = attached === undefined ? roles : [attached];
  for (const role of each) if (role !== 'from') checkRole(line, role);
  return `${attached === undefined ? '' : '?'}${each.join(',')}`;
}

/** `operands text reads*`; `operands none`. Throws for an unknown role. */
export function parseOperands(line: Line): string {
  const slots = line.words.slice(1);
  if (slots.length === 1 && slots[0] === 'none') return '';
  for (const slot of slots) checkRole(line, slot.replace(/[?*+]$/, ''));
  return slots.join(' ');
}

/** `does runs the tests`, one effect per line; `does nothing`. Throws for an unknown role. */
export function parseDoes(lines: readonly Line[]): string {
  const effects = lines.map((line) => {
    const [, role = '', ...target] = line.words;
    if (role === 'nothing' && target.length === 0) return '';
    checkRole(line, role);
    if (target.length === 0 || target.some((word) => word.includes('_')))
      throw faultAt(line, `expected what it ${role}, without "_"`);
    return `${role}=${target.join('_')}`;
  });
  return effects.join(' ');
}

export function isOptionName(word: string): boolean {
  return word === '*' || word.startsWith('-');
}

function checkRole(line: Line, role: string): void {
  if (!isRole(role)) throw faultAt(line, `unknown role "${role}"${didYouMean(role, roleNames)}`);
}
