/** The skill that collects TODO and FIXME comments into a file. */

import {type Match, readMatches} from './listing.ts';
import {partlyDone, refusal, type Skill, type Work} from './skill.ts';
import {exists, lookFor, targetOf, writeWhole} from './write-whole.ts';

const search = {tool: 'grep_search', args: {pattern: String.raw`\b(?:TODO|FIXME)\b`}};

const english = /\b(?:collect|gather|list|write|put|save|extract|find)\b.*\b(?:TODO|FIXME)s?\b/is;
const japanese = /(?:TODO|FIXME).*?([\w@./-]+\.\w{1,8})[`"'」]?\s*(?:に|へ)/s;

export const todos: Skill = {
  skill: 'todos',
  phrases: [
    'Collect all TODO and FIXME comments into TODO.md',
    'Write the TODOs of this project to docs/todo.md',
    'TODO と FIXME を TODO.md にまとめて',
  ],
  does: 'Writes every TODO and FIXME comment with its file and line into a file.',
  understand: (request) => {
    const path = english.test(request) ? targetOf(request) : japanese.exec(request)?.[1];
    if (path === undefined) return undefined;
    return {
      objective: `Collect TODO and FIXME comments into ${path}`,
      reasoning: 'The comments are searched first, then written down with their places.',
      tasks: [
        {id: 'search', description: 'Find TODO and FIXME', ...search},
        {
          id: 'write',
          description: `Write the comments that were found to ${path}`,
          tool: 'write_file',
          depends_on: ['search'],
          expected_outcome: `${path} lists every comment with its file and line`,
        },
      ],
      work: () => work(path),
    };
  },
};

function* work(path: string): Work {
  const [found, target] = yield [search, lookFor(path)];
  if (!found || found.isError) return refusal("the comments can't be searched", found);
  const result = readMatches(found.text);
  const comments = result.matches.filter((match) => match.path !== path && isComment(match));
  const notes = result.notes.map((note) => note.replace(/^…\s*/, ''));
  const content = listText(comments, notes);
  const summary = `It lists ${comments.length} comments.`;
  const report = yield* writeWhole(path, content, exists(path, target), summary);
  const isCut = result.total > result.matches.length;
  return isCut && report.endsWith(summary) ? `${partlyDone}${report} ${notes.join('; ')}.` : report;
}

const commentBefore = /(?:\/\/|\/\*|^\s*\*|#|<!--|--|;|%|"""|''').*\b(?:TODO|FIXME)\b/;
const prose = /\.(?:md|mdx|txt|rst|adoc|org)$/i;

function isComment({path, text}: Match): boolean {
  return commentBefore.test(text) || (prose.test(path) && /\b(?:TODO|FIXME)\b/.test(text));
}

function listText(comments: readonly Match[], notes: readonly string[]): string {
  const paths = [...new Set(comments.map(({path}) => path))];
  const sections = paths.map((path) => {
    const own = comments.filter((comment) => comment.path === path);
    return [
      `## ${path}`,
      '',
      ...own.map(({line, text}) => `- line ${line}: ${text.trim()}`),
      '',
    ].join('\n');
  });
  const head = `# TODO and FIXME\n\n${comments.length} comments in ${paths.length} files.\n`;
  return [
    head,
    ...sections,
    ...(notes.length > 0 ? [`Left out: ${notes.join('; ')}.\n`] : []),
  ].join('\n');
}
