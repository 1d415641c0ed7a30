/**
 * Data that outlives the page: links to begun forms, drafts, and unsent messages. A tab's own data come first; secrets stay
 * in the tab. Without storage (it may be forbidden, or full) nothing outlives the page.
 */

import type {Begun, Field} from './wire.ts';

export interface Keep {
  readonly read: (name: string) => string | undefined;
  /** An empty text deletes it. */
  readonly write: (name: string, text: string, isSecret?: boolean) => void;
  /** True once in each tab. */
  readonly isNewTab: () => boolean;
  readonly forgetAll: () => void;
}

/** Texts being typed, by the name of their place. */
export interface Drafts {
  /** Empty without a draft. */
  readonly read: (name: string) => string;
  /** `about`: its field. An empty text deletes it. */
  readonly write: (name: string, text: string, about?: Field) => void;
}

export function draftsIn({read, write}: Keep): Drafts {
  return {
    read: (name) => read(name) ?? '',
    write: (name, text, about) => write(name, text, about?.sensitivity === 'secret'),
  };
}

const program = 'quorate';

export function keepOf(submission: string): Keep {
  const prefix = `${program}:${submission}:`;
  return {
    read: (name) =>
      tried(() => sessionStorage.getItem(prefix + name)) ??
      tried(() => localStorage.getItem(prefix + name)) ??
      undefined,
    write: (name, text, isSecret = false) => {
      put(() => sessionStorage, prefix + name, text);
      put(() => localStorage, prefix + name, isSecret ? '' : text);
    },
    isNewTab: () => {
      const isNew = tried(() => sessionStorage.getItem(`${prefix}here`)) !== 'yes';
      put(() => sessionStorage, `${prefix}here`, 'yes');
      return isNew;
    },
    forgetAll: () => {
      for (const storage of [sessionStorage, localStorage]) {
        tried(() => {
          for (const key of Object.keys(storage))
            if (key.startsWith(prefix)) storage.removeItem(key);
        });
      }
    },
  };
}

/** The unfinished submission of this form that was begun on this device. */
export function begunBefore(form: string): Begun | undefined {
  const text = tried(() => localStorage.getItem(`${program}:form:${form}`));
  const [id, token] = text?.split('#') ?? [];
  return id && token ? {id, token} : undefined;
}

export function rememberBegun(form: string, begun: Begun | undefined): void {
  put(() => localStorage, `${program}:form:${form}`, begun ? `${begun.id}#${begun.token}` : '');
}

function put(storage: () => Storage, key: string, text: string): void {
  tried(() => {
    if (text === '') storage().removeItem(key);
    else storage().setItem(key, text);
  });
}

function tried<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
