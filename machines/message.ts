/** Texts for people: written once, in English, with holes for their values. Another language is a catalogue of the same texts. */

export interface Message {
  /**
   * The English text, and its key in a catalogue. `{0}` is the first value, `{0} {line|lines}` a count with its noun.
   * `{:state}` tells apart what English says with the same word; nobody sees it. Its holes are values that only another
   * language shows.
   */
  readonly text: string;
  readonly values: readonly Value[];
}

export type Value = Message | string | number;

/** The texts of a language by the English ones. */
export type Catalogue = ReadonlyMap<string, string>;

export function t(parts: TemplateStringsArray, ...values: readonly Value[]): Message {
  return {text: parts.reduce((text, part, at) => `${text}{${at - 1}}${part}`), values};
}

/** Several values as one. `join` words the last one with those before it. */
export function listed(
  values: readonly Value[],
  join: (before: Value, last: Value) => Message,
): Value {
  const [first = '', ...others] = values;
  return others.reduce(join, first);
}

/** The words of a message; English without a catalogue, and where it lacks the text. A string has no holes. */
export function messageText(message: Message | string, catalogue?: Catalogue): string {
  if (typeof message === 'string') return catalogue?.get(message) ?? message;
  const text = catalogue?.get(message.text) ?? message.text;
  return text.replaceAll(holes, (hole: string, at?: string, one?: string, many?: string) => {
    const value = at === undefined ? '' : (message.values[Number(at)] ?? hole);
    if (many === undefined) return valueText(value, catalogue);
    const count = typeof value === 'number' ? value.toLocaleString('en-US') : value;
    return `${valueText(count, catalogue)} ${value === 1 ? one : many}`;
  });
}

function valueText(value: Value, catalogue: Catalogue | undefined): string {
  return typeof value === 'object' ? messageText(value, catalogue) : String(value);
}

const holes = /\{(?:(\d+)\}(?: \{([^{}|]*)\|([^{}|]*)\})?|:[a-z]+(?: \{\d+\})*\})/g;
