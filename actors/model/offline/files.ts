/** The skills that create a file and append to one. */

import {type Answer, refusal, type Skill, type Use, type Work} from './skill.ts';
import {exists, lookFor} from './write-whole.ts';

const path =
  '[`"\']?([\\w@][\\w@./-]*\\.\\w{1,10}|[\\w@./-]+/[\\w@.-]+|Makefile|Dockerfile|\\.\\w[\\w.-]*)[`"\']?';
const fenced = /```[^\n]*\n([^]*?)\n?```/;
const quoted = /"([^"]*)"|“([^”]*)”|「([^」]*)」|`([^`]*)`|'([^']*)'/;

const createPattern = new RegExp(
  `^(?:please\\s+)?(?:create|make|add)\\s+(?:a\\s+|the\\s+)?(?:new\\s+)?(?:text\\s+)?(?:file\\s+)?(?:called\\s+|named\\s+)?${path}(?:\\s+file)?,?\\s+(?:with|containing|that (?:says|contains)|which (?:says|contains))\\s*(?:the\\s+)?(?:exact\\s+)?(?:contents?|text|line)?\\s*:?\\s*([^]+)$`,
  'i',
);
const writePattern = new RegExp(
  `^(?:please\\s+)?(?:write|put|save)\\s+(?:the\\s+)?(?:text\\s+|line\\s+|words?\\s+)?(["“\`'「][^]+["”\`'」])\\s+(?:to|into|in)\\s+(?:a\\s+|the\\s+)?(?:new\\s+)?(?:file\\s+)?(?:called\\s+|named\\s+)?${path}\\s*[.!]?$`,
  'i',
);
const createJapanese =
  /^([\w@./-]+\.\w{1,10})\s*を?(?:というファイルを)?.*?「([^」]*)」.*(?:作成|作って|作る)/s;
const appendPattern = new RegExp(
  `^(?:please\\s+)?(?:append|add)\\s+(?:the\\s+)?(?:line\\s+|text\\s+)?(["“\`'「][^]*["”\`'」]|\`\`\`[^]+\`\`\`)\\s+(?:to|at)\\s+(?:the\\s+)?(?:end\\s+of\\s+)?(?:the\\s+)?(?:file\\s+)?${path}\\s*[.!]?$`,
  'i',
);
const appendColonPattern = new RegExp(
  `^(?:please\\s+)?append\\s+to\\s+(?:the\\s+)?(?:file\\s+)?${path}\\s*:\\s*([^]+)$`,
  'i',
);
const appendJapanese = /^([\w@./-]+\.\w{1,10})\s*(?:の末尾)?に\s*(「[^」]*」)\s*を?(?:追記|追加)/s;

export const creation: Skill = {
  skill: 'creation',
  phrases: [
    'Create a file notes.txt with the content "Hello"',
    'Write "Hello" to notes.txt',
    'notes.txt を「Hello」という内容で作成して',
  ],
  does: 'Writes a new file with exactly the given content. A file that exists is not replaced unseen.',
  understand: (request) => {
    const order = createOrder(request.trim());
    if (!order) return undefined;
    const {target, content} = order;
    return {
      objective: `Create ${target}`,
      reasoning: 'The request gives the name and the whole content, so it takes exactly one call.',
      tasks: [
        {
          id: 'create',
          description: `Write ${target} with the content of the request`,
          tool: 'write_file',
          args: {path: target, content, create_dirs: true},
          expected_outcome: `${target} exists with that content`,
        },
      ],
    };
  },
};

interface Order {
  readonly target: string;
  readonly content: string;
}

function createOrder(request: string): Order | undefined {
  const created = createPattern.exec(request);
  const written = writePattern.exec(request);
  const japanese = createJapanese.exec(request);
  return (
    orderOf(created?.[1], contentOf(created?.[2])) ??
    orderOf(written?.[2], contentOf(written?.[1])) ??
    orderOf(japanese?.[1], japanese?.[2])
  );
}

function orderOf(target: string | undefined, content: string | undefined): Order | undefined {
  return target === undefined || content === undefined ? undefined : {target, content};
}

/** A fenced block ends with a newline; quoted text is exact; the rest of the request must be one of them. */
function contentOf(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? '';
  const block = fenced.exec(trimmed)?.[1];
  if (block !== undefined) return `${block}\n`;
  const found = quoted.exec(trimmed);
  if (found && found.index === 0) return found.slice(1).find((part) => part !== undefined);
  return trimmed === '' || found ? undefined : trimmed;
}

export const appending: Skill = {
  skill: 'appending',
  phrases: [
    'Append the line "Done." to notes.txt',
    'Add "Done." to the end of notes.txt',
    'notes.txt に「完了」を追記して',
  ],
  does: 'Adds lines at the end of a file, or creates it.',
  understand: (request) => {
    const order = appendOrder(request.trim());
    if (!order) return undefined;
    const {target} = order;
    return {
      objective: `Append to ${target}`,
      reasoning: 'The file is read first, so that the end of it is known.',
      tasks: [
        {
          id: 'append',
          description: `Read ${target} and add the text of the request at its end`,
          expected_outcome: `${target} ends with the text of the request`,
        },
      ],
      work: () => append(order),
    };
  },
};

function appendOrder(request: string): Order | undefined {
  const to = appendPattern.exec(request);
  const colon = appendColonPattern.exec(request);
  const japanese = appendJapanese.exec(request);
  return (
    orderOf(to?.[2], contentOf(to?.[1])) ??
    orderOf(colon?.[1], contentOf(colon?.[2])) ??
    orderOf(japanese?.[1], contentOf(japanese?.[2]))
  );
}

function* append({target, content}: Order): Work {
  const line = content.endsWith('\n') ? content : `${content}\n`;
  const [listed] = yield [lookFor(target)];
  if (!exists(target, listed))
    return yield* act(
      {tool: 'write_file', args: {path: target, content: line, create_dirs: true}},
      target,
    );
  const [old] = yield [{tool: 'read_file', args: {path: target, limit: 100_000}}];
  if (!old || old.isError) return refusal(`${target} can't be read`, old);
  if (old.text === '')
    return yield* act({tool: 'write_file', args: {path: target, content: line}}, target);
  const tail = uniqueTail(old.text);
  const joint = old.text.endsWith('\n') ? '' : '\n';
  return yield* act(
    {tool: 'edit_file', args: {path: target, old_text: tail, new_text: `${tail}${joint}${line}`}},
    target,
  );
}

function* act(use: Use, target: string): Generator<readonly Use[], string, readonly Answer[]> {
  const [answer] = yield [use];
  return !answer || answer.isError
    ? refusal(`${target} was not changed`, answer)
    : `Appended to ${target}.`;
}

/** The shortest run of whole lines at the end that occurs nowhere else. */
function uniqueTail(text: string): string {
  const lines = text.split(/(?<=\n)/);
  for (let count = 1; count < lines.length; count += 1) {
    const tail = lines.slice(-count).join('');
    if (text.indexOf(tail) === text.length - tail.length) return tail;
  }
  return text;
}
