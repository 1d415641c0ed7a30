/** The skill that runs a command and reports what it prints. */

import type {Skill} from './skill.ts';

const patterns = [
  /^(?:please\s+)?(?:run|execute)\s+(?:the\s+)?(?:shell\s+)?(?:command\s+)?`([^`]+)`/i,
  /^(?:please\s+)?(?:run|execute)\s+(?:the\s+)?(?:shell\s+)?(?:command\s*:?\s+)"([^"]+)"/i,
  /^(?:please\s+)?(?:run|execute)\s+(?:the\s+)?(?:shell\s+)?command\s*:?\s+([^`"\n]+?)(?:\s+and\s+(?:report|show|tell|print|summari[sz]e)\b.*)?[.!]?$/is,
  /^(?:please\s+)?(?:run|execute)\s+((?:npm|npx|node|pnpm|yarn|git|make|cargo|go|python3?|pytest|ls|cat|wc|echo|grep|find|rm|\.\/)\S*(?:\s+(?!and\s+(?:report|show|tell|print|summari[sz]e)\b)\S+)*?)(?:\s+and\s+(?:report|show|tell|print|summari[sz]e)\b.*)?[.!]?$/is,
  /^[「`]([^」`]+)[」`]\s*を(?:実行|走らせ)/,
];

export const commands: Skill = {
  skill: 'commands',
  phrases: ['Run `npm test` and report', 'Execute the command "ls -la"', '`npm test` を実行して'],
  does: 'Runs one shell command, once the panel has approved it, and reports what it printed.',
  understand: (request) => {
    const command = patterns
      .map((pattern) => pattern.exec(request.trim())?.[1])
      .find((text) => text !== undefined);
    if (command === undefined || command.trim() === '') return undefined;
    return {
      objective: `Run ${command} and report its output`,
      reasoning: 'The request names the command, so it is run as it stands.',
      tasks: [
        {
          id: 'run',
          description: `Run ${command}`,
          tool: 'run_command',
          args: {command},
          expected_outcome: 'The command ends with exit code 0',
        },
      ],
    };
  },
};
