/** A moment of a trace as the fragment of an address: `#run=ID&at=SEQ&actor=PATH`. */

export interface Place {
  readonly run?: string;
  /** The seq of the shown step. Absent: the end. */
  readonly at?: number;
  readonly actor?: string;
}

export function parsePlace(fragment: string): Place {
  const values = new URLSearchParams(fragment.replace(/^#/, ''));
  const [run, at, actor] = ['run', 'at', 'actor'].map((name) => values.get(name) ?? '');
  return {
    ...(run ? {run} : {}),
    ...(at && /^-?\d{1,15}$/.test(at) ? {at: Number(at)} : {}),
    ...(actor ? {actor} : {}),
  };
}

export function placeText({run, at, actor}: Place): string {
  const values = Object.entries({run, at, actor}).filter(([, value]) => value !== undefined);
  const written = values.map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`,
  );
  return `#${written.join('&').replaceAll('%2F', '/').replaceAll('%3A', ':')}`;
}
