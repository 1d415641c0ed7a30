/** Parses a configuration file into a layer. */

import {AppError} from '../../machines/domain/app-error.ts';
import {createTomlLocator} from '../../tools/places/toml.ts';
import {toLayer, type Layer} from './layer.ts';

/**
 * `name` is the file's name in messages. Throws AppError `config` with line and column for invalid TOML, and for unknown keys
 * and invalid values.
 */
export async function parseConfigText(name: string, original: string): Promise<Layer> {
  const text = original.replace(/^\uFEFF/, '');
  refuseHidden(name, text);
  const {parse, TomlError} = await import('smol-toml');
  try {
    const document = parse(text, {maxDepth: 64});
    const locate = createTomlLocator(text);
    return toLayer(document, (path) => {
      const {line, column} = locate(path);
      return `${name}:${line}:${column}`;
    });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = (error.message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '');
    const place = `${name}:${error.line}:${error.column}`;
    throw new AppError('config', `${place}: invalid TOML: ${reason}`, {cause: error});
  }
}

/** Refuses characters that make a text look different from its content. */
function refuseHidden(name: string, text: string): void {
  const found = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/.exec(text);
  if (!found) return;
  const before = text.slice(0, found.index).split('\n');
  const place = `${name}:${before.length}:${(before.at(-1) ?? '').length + 1}`;
  const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  throw new AppError(
    'config',
    `${place}: the character U+${code} changes the direction of text and hides what is written; remove it`,
  );
}
