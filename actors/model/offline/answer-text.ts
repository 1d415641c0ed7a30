import type {Answer} from './skill.ts';

/** What a tool said. */
export function textOf(answer: Answer | undefined): string {
  return answer?.text ?? 'no answer came';
}
