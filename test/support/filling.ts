/** Filling the form `t-shirt` of the fixtures over HTTP, by rules alone. */

import type {Answered, Ask} from './serving.ts';

/** A respondent of whom nothing is unknown. */
export const known = {language: 'en', country: 'DE', timezone: 'Europe/Berlin'};

export interface Message {
  readonly position: number;
  readonly from: string;
  readonly text: string;
}

export interface Filling {
  readonly id: string;
  readonly token: string;
  readonly messages: readonly Message[];
  readonly say: (
    body: object | string,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answered>;
  readonly look: (path?: string) => Promise<Answered>;
  readonly confirm: () => Promise<Answered>;
}

export async function fill(
  ask: Ask,
  form = 't-shirt',
  respondent: object = known,
): Promise<Filling> {
  const {status, json} = await ask(`/v1/forms/${form}/submissions`, {body: respondent});
  if (status !== 201) throw new Error(`${status}: ${JSON.stringify(json)}`);
  const messages = messagesIn(json);
  return fillAgain(ask, {id: String(json['id']), token: String(json['token']), messages});
}

/** A form that was begun earlier, as at another server. */
export function fillAgain(ask: Ask, begun: Pick<Filling, 'id' | 'token' | 'messages'>): Filling {
  const {id, token} = begun;
  const path = `/v1/submissions/${id}`;
  return {
    ...begun,
    say: async (said, headers = {}) => {
      const body = typeof said === 'string' ? {text: said} : said;
      return await ask(`${path}/messages`, {token, body, headers});
    },
    look: async (part = '') => await ask(path + part, {token}),
    confirm: async () => await ask(`${path}/confirm`, {token, body: {}}),
  };
}

export function messagesIn({messages}: Answered['json']): Message[] {
  return Array.isArray(messages) ? messages : [];
}
