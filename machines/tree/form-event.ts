/** What every form's machine shares with the interaction that runs it. */

/** What a form hears from its interaction. */
export type FormEvent =
  | {readonly type: 'user.cancel'}
  | {readonly type: 'limit.hit'; readonly limit: string};
