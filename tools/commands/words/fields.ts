/** Builds words from the parts of a word: joined, split at blanks, with or without wildcards. */

import type {Word} from '../word.ts';
import type {Value} from './world.ts';

/** A resolved part. `fixed`: source text. `value`: from a variable, split at blanks unless quoted. */
export interface Piece {
  readonly text: string;
  readonly kind: 'fixed' | 'value' | 'unknown' | 'number';
  readonly quoted: boolean;
  /** The value matches places. */
  readonly pattern?: boolean;
}

/** The piece for a part of a word with this value. */
export function pieceOf(
  {text, known, pattern, isNumber}: Value,
  {quoted, written}: {quoted: boolean; written: string},
): Piece {
  if (known) return {text, kind: 'value', quoted, pattern};
  // In any variable, `$!` is a process that this text has started.
  if (isNumber) return {text: text === '$!' ? text : written, kind: 'number', quoted};
  return {text: written, kind: 'unknown', quoted};
}

const wildcard = /[*?]/;

class Field {
  text = '';
  known = true;
  pattern = false;
  quoted = true;
  hasQuotedWildcard = false;
  isSetOpen = false;
  /** Unquoted text that may contain wildcards. */
  open = '';
  /** The number of parts other than a number. */
  others = 0;

  addUnknown(isQuoted: boolean): void {
    this.others += 1;
    if (!isQuoted) this.quoted = false;
  }

  toWord(): Word {
    const {text, pattern, quoted} = this;
    const isClear = !(pattern && (this.hasQuotedWildcard || this.open.includes('***')));
    const word = {text, known: this.known && isClear, pattern, quoted};
    return !this.known && this.others === 0 ? {...word, isNumber: true} : word;
  }
}

/** `splits`: blanks are known to separate words; otherwise a value with blanks is unknown. */
export function fieldsOf(pieces: readonly Piece[], splits: boolean): readonly Word[] {
  const fields: Field[] = [];
  let field: Field | undefined;
  const open = () => {
    if (!field) fields.push((field = new Field()));
    return field;
  };
  for (const piece of pieces) {
    const parts = partsOf(piece, splits);
    for (const [at, part] of parts.entries()) {
      if (at > 0) field = undefined;
      if (part.text !== '' || part.quoted || part.kind === 'unknown') append(open(), part);
    }
  }
  return fields.map((each) => each.toWord());
}

/** All in one word, as in an assignment: nothing is split, nothing is a pattern. */
export function textOfPieces(pieces: readonly Piece[]): Word {
  const field = new Field();
  for (const piece of pieces) append(field, {...piece, quoted: true});
  return {...field.toWord(), quoted: true};
}

/** An empty first or last part marks the end of a word. */
function partsOf(piece: Piece, splits: boolean): readonly Piece[] {
  if (piece.kind === 'fixed' || piece.quoted) return [piece];
  if (!splits) return [{...piece, kind: 'unknown'}];
  if (piece.kind !== 'value' || piece.pattern) return [piece];
  const {kind, quoted} = piece;
  return piece.text.split(/[ \t\n]+/).map((text) => ({text, kind, quoted}));
}

/** A longer word is unknown: concatenated variables could grow without end. */
const maxLength = 30_000;

function bounded({text}: Field, piece: Piece): Piece {
  const isLong = text.length + piece.text.length > maxLength;
  return isLong ? {...piece, text: '', kind: 'unknown'} : piece;
}

function append(field: Field, piece: Piece): void {
  const {text, kind, quoted, pattern = false} = bounded(field, piece);
  field.text += text;
  if (kind === 'unknown' || kind === 'number') {
    field.known = false;
    if (kind === 'unknown') field.addUnknown(quoted);
    return;
  }
  field.others += Math.sign(text.length);
  field.open += pattern || quoted ? '' : text;
  field.pattern = opensPattern(field, text, pattern || !quoted) || field.pattern;
  if (hidden(pattern, quoted).test(text)) field.hasQuotedWildcard = true;
}

/** A wildcard; a set of characters counts only with both its brackets. */
function opensPattern(field: Field, text: string, isOpen: boolean): boolean {
  if (!isOpen) return false;
  if (wildcard.test(text)) return true;
  const start = field.isSetOpen ? 0 : text.indexOf('[');
  if (start < 0) return false;
  field.isSetOpen = true;
  return text.includes(']', start);
}

/** Characters that look like wildcards next to real ones. */
function hidden(pattern: boolean, quoted: boolean): RegExp {
  if (pattern) return /[[\\]/;
  return quoted ? /[*?[\\]/ : /(?!)/;
}
