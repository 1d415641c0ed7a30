/** A plan as a person reads it. */

import type {Plan, Task} from '../../machines/domain/plan.ts';
import type {Style} from './style.ts';
import {oneLine} from './text.ts';

/** `1. Read README.md`, and below it the call that the task makes, with its arguments once they are known. */
export function taskLines(plan: Plan, style: Style, width: number): string[] {
  return plan.tasks.flatMap((task, index) => {
    const title = `${index + 1}. ${oneLine(task.description, width - 4)}`;
    const call = callText(task);
    return call === '' ? [title] : [title, `   ${style.dim(oneLine(call, width - 3))}`];
  });
}

function callText({tool = '', args, dependsOn}: Task): string {
  const call = tool !== '' && args ? `${tool} ${JSON.stringify(args)}` : tool;
  const after = dependsOn.length > 0 ? `after ${dependsOn.join(', ')}` : '';
  return [call, after].filter((part) => part !== '').join(' · ');
}
