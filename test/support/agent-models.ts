/** Replies for whole agent runs: planner, worker, judge and reviewers on the mock server. */

import type {ReceivedRequest, Said} from './mock-openai.ts';

export function call(name: string, args: unknown): Said {
  return {calls: [{name, args}]};
}

export function ballot(verdict: 'approve' | 'reject' | 'abstain', reason: string = verdict): Said {
  return call('cast_ballot', {verdict, reasons: [reason], confidence: 0.9});
}

export const writePlan = {
  objective: 'Write a note',
  reasoning: 'one file is enough',
  tasks: [
    {
      id: 'write',
      description: 'Write the note',
      tool: 'write_file',
      args: {path: 'note.txt', content: 'hello\n'},
    },
  ],
};

/** The plan, revised once for each rejection in `prompt`: each time a different one. */
export function revised<Plan extends {readonly reasoning: string}>(
  plan: Plan,
  prompt: string,
): Plan {
  const rounds = prompt.match(/^Round \d+: rejected/gm)?.length ?? 0;
  return rounds === 0 ? plan : {...plan, reasoning: `${plan.reasoning}, as said ${rounds} times`};
}

/** All replies except votes: a plan that writes note.txt, revised when it is rejected, and a judge that accepts everything. */
export function act(received: ReceivedRequest): Said {
  if (received.tools.includes('create_plan')) {
    return call('create_plan', revised(writePlan, received.text));
  }
  if (received.tools.includes('evaluate_result')) {
    return call('evaluate_result', {successful: true, problems: []});
  }
  return {text: 'An empty folder.'};
}

export function isBallot(received: ReceivedRequest): boolean {
  return received.tools.includes('cast_ballot');
}

export function isPlanBallot(received: ReceivedRequest): boolean {
  return isBallot(received) && /# Proposal \(plan/.test(received.text);
}

export function roundOf(received: ReceivedRequest): number {
  return Number(/# Proposal \(\w+, round (\d+)\)/.exec(received.text)?.[1]);
}
