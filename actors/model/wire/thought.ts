/** Takes a leading `<think>` block, and the space around it, off a text that arrives in pieces. */

interface TextFilter {
  readonly add: (piece: string) => void;
  /** Passes what is held back. */
  readonly end: () => void;
}

const opening = '<think>';
const closing = '</think>';
/** Of white space before a text, in UTF-16 units. */
const maxHeld = 1_000;

export function withoutThought(pass: (text: string) => void): TextFilter {
  let state: 'opening' | 'thinking' | 'closed' | 'passing' = 'opening';
  let held = '';
  const passRest = (text: string): void => {
    held = '';
    if (text === '') return;
    state = 'passing';
    pass(text);
  };
  const think = (): void => {
    const at = held.indexOf(closing);
    if (at === -1) {
      held = held.slice(1 - closing.length);
      return;
    }
    state = 'closed';
    passRest(held.slice(at + closing.length).trimStart());
  };
  const open = (): void => {
    const start = held.trimStart();
    if (start.length < opening.length && opening.startsWith(start) && held.length < maxHeld) return;
    if (!start.startsWith(opening)) {
      passRest(held);
      return;
    }
    state = 'thinking';
    held = start;
    think();
  };
  return {
    add: (piece) => {
      if (state === 'passing') {
        pass(piece);
        return;
      }
      held += piece;
      if (state === 'opening') open();
      else if (state === 'thinking') think();
      else passRest(held.trimStart());
    },
    end: () => {
      if (state === 'opening') passRest(held);
    },
  };
}
