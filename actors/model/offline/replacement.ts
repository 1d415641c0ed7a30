/** The skill that replaces a text, or renames an identifier, in every file that holds it. */

import {readMatches} from './listing.ts';
import {
  type Answer,
  notDone,
  partlyDone,
  refusal,
  type Skill,
  type Use,
  type Work,
} from './skill.ts';

/** Files that are read in one turn. */
const maxFiles = 40;

interface Swap {
  readonly from: string;
  readonly to: string;
  /** A file or folder to stay in; the whole workspace if absent. */
  readonly where: string | undefined;
  /** Only where it stands as a word of its own. */
  readonly isName: boolean;
}

const token = '(?:`([^`]+)`|"([^"]+)"|“([^”]+)”|\'([^\']+)\'|([\\w$.@/-]+))';
const place = '(?:\\s+(?:in|within|across|under|everywhere in|throughout)\\s+(.+?))?[.!]?\\s*$';
const patterns: readonly (readonly [RegExp, boolean])[] = [
  [
    new RegExp(
      `^(?:please\\s+)?(?:replace|change)\\s+(?:all\\s+|every\\s+|each\\s+)?(?:occurrences?\\s+of\\s+|the\\s+(?:text|string|word)\\s+)?${token}\\s+(?:with|by|to|into)\\s+${token}${place}`,
      'is',
    ),
    false,
  ],
  [
    new RegExp(
      `^(?:please\\s+)?rename\\s+(?:the\\s+)?(?:identifier\\s+|function\\s+|variable\\s+|class\\s+|type\\s+|constant\\s+|method\\s+|symbol\\s+)?${token}\\s+(?:to|into|as)\\s+${token}${place}`,
      'is',
    ),
    true,
  ],
  [
    /^[「`"]?([^「」`"\s]+)[」`"]?\s*(?:を|という名前を)\s*[「`"]?([^「」`"\s]+?)[」`"]?\s*に(?:置換|置き換え|変更|変え|リネーム)/s,
    false,
  ],
];

export const replacement: Skill = {
  skill: 'replacement',
  phrases: [
    'Replace "colour" with "color" in src',
    'Rename getUser to fetchUser',
    '「colour」を「color」に置き換えて',
  ],
  does: 'Replaces a text literally, or renames an identifier as a whole word, in all files or below a path.',
  understand: (request) => {
    const swap = readSwap(request.trim());
    if (!swap || swap.from === swap.to) return undefined;
    const search = searchFor(swap);
    const scope = swap.where === undefined ? 'all files' : swap.where;
    return {
      objective: `Replace ${swap.from} by ${swap.to} in ${scope}`,
      reasoning:
        'Every occurrence is found first; each file is read before its one edit, and the search is repeated.',
      tasks: [
        {id: 'search', description: `Find ${swap.from} in ${scope}`, ...search},
        {
          id: 'edit',
          description: `Replace ${swap.from} by ${swap.to} in each file that was found`,
          tool: 'edit_file',
          depends_on: ['search'],
          expected_outcome: `${swap.from} is found no more in ${scope}`,
        },
      ],
      work: () => work(swap),
    };
  },
};

function readSwap(request: string): Swap | undefined {
  for (const [pattern, isName] of patterns) {
    const found = pattern.exec(request);
    const given = (found?.slice(1) ?? []).filter((text) => text !== undefined);
    const [from, to, where] = given;
    if (from === undefined || to === undefined) continue;
    const isPath = /[/]|\.\w{1,5}$/.test(from) && isName;
    if (isPath || /\n/.test(from)) return undefined;
    return {from, to, where: placeOf(where), isName};
  }
  return undefined;
}

/** `src`, `the folder src`, `all files`: a path, or undefined for everywhere. */
function placeOf(where: string | undefined): string | undefined {
  const text = (where ?? '')
    .replace(/^(?:the\s+)?(?:file|folder|directory)\s+/i, '')
    .replace(/\s+(?:file|folder|directory)$/i, '')
    .replaceAll(/[`"']/g, '');
  return /^[\w@./-]+$/.test(text) && !/^(?:all|every\w*|this|it|here)$/i.test(text)
    ? text
    : undefined;
}

function searchFor({from, where, isName}: Swap): Use {
  const literal = from.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
  const pattern = isName ? String.raw`(?<![\w$])${literal}(?![\w$])` : literal;
  return {tool: 'grep_search', args: {pattern, ...(where === undefined ? {} : {path: where})}};
}

function* work(swap: Swap): Work {
  const search = searchFor(swap);
  const [found] = yield [search];
  if (!found || found.isError) return refusal(`${swap.from} can't be searched`, found);
  const {matches} = readMatches(found.text);
  const paths = [...new Set(matches.map(({path}) => path))];
  if (paths.length === 0)
    return `${notDone}${swap.from} is found nowhere in ${swap.where ?? 'the workspace'}.`;
  const now = paths.slice(0, maxFiles);
  const texts = yield now.map((path) => ({tool: 'read_file', args: {path, limit: 100_000}}));
  const edits = now.flatMap((path, index) => editOf(path, texts[index], swap));
  if (edits.length === 0)
    return `${notDone}no file that holds ${swap.from} can be read as a whole.`;
  const answers = yield edits;
  const failed = answers.filter(({isError}) => isError);
  const done = edits.length - failed.length;
  if (done === 0) return refusal('no file was changed', failed[0]);
  // The same search spelt out, so that it counts as a new one.
  const [again] = yield [{tool: search.tool, args: {...search.args, case_insensitive: false}}];
  return reportOf(swap, done, failed, again);
}

/** One edit a file, from the line of its first occurrence to that of its last: such a passage occurs once. */
function editOf(path: string, answer: Answer | undefined, swap: Swap): Use[] {
  if (!answer || answer.isError) return [];
  const places = [...answer.text.matchAll(expression(swap))].map(({index}) => index);
  const [first] = places;
  const last = places.at(-1);
  if (first === undefined || last === undefined) return [];
  const start = answer.text.lastIndexOf('\n', first - 1) + 1;
  const end = answer.text.indexOf('\n', last + swap.from.length);
  const passage = answer.text.slice(first === 0 ? 0 : start, end < 0 ? undefined : end);
  const replaced = passage.replaceAll(expression(swap), () => swap.to);
  return [{tool: 'edit_file', args: {path, old_text: passage, new_text: replaced}}];
}

function expression({from, isName}: Swap): RegExp {
  const literal = from.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
  return new RegExp(isName ? String.raw`(?<![\w$])${literal}(?![\w$])` : literal, 'g');
}

function reportOf(
  swap: Swap,
  done: number,
  failed: readonly Answer[],
  again: Answer | undefined,
): string {
  const left = again && !again.isError ? readMatches(again.text) : undefined;
  const isContained = expression(swap).test(swap.to);
  const summary = `Replaced ${swap.from} by ${swap.to}, files changed: ${done}.`;
  if (failed.length > 0)
    return `${partlyDone}${summary} Not allowed or failed: ${failed.map(({text}) => text).join('; ')}`;
  if (!left) return `${partlyDone}${summary} Whether any is left could not be checked.`;
  if (left.total > 0 && !isContained)
    return `${partlyDone}${summary} Still left: ${left.total} lines in ${left.files} files; ask again to go on.`;
  return isContained ? summary : `${summary} None is left.`;
}
