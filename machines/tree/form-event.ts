/** What every form's machine shares with the interaction that runs it. */

/** What a form hears from its interaction. */
export interface FormEvent {
  readonly type: 'user.cancel';
}
