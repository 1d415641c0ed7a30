/** Replies for whole agent runs: what a planner, a worker, a judge and reviewers say to the mock server. */

import type {Heard, Said} from './mock-openai.ts';

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

/** Everything but the votes: a plan that writes note.txt, revised when it is rejected, and a judge who is content. */
export function act(heard: Heard): Said {
  if (heard.tools.includes('create_plan')) {
    return call('create_plan', revised(writePlan, heard.text));
  }
  if (heard.tools.includes('evaluate_result')) {
    return call('evaluate_result', {successful: true, problems: []});
  }
  return {text: 'An empty folder.'};
}

export function isBallot(heard: Heard): boolean {
  return heard.tools.includes('cast_ballot');
}

export function isPlanBallot(heard: Heard): boolean {
  return isBallot(heard) && /# Proposal \(plan/.test(heard.text);
}

export function roundOf(heard: Heard): number {
  return Number(/# Proposal \(\w+, round (\d+)\)/.exec(heard.text)?.[1]);
}
