/** Statements in what a discussion is given, each with its place: what can be quoted without an opinion of one's own. */

export interface Statement {
  /** `docs/queue.md:3`, `the question`. */
  readonly place: string;
  readonly text: string;
  /** Whether it speaks of the question: it was given along with it, or found for it. */
  readonly isGiven: boolean;
}

const shortest = 12;
const longest = 400;
const sentenceEnd = /(?<=[.!?])\s+|(?<=[。！？])/u;

/** What the question itself says beside asking. */
export function statementsIn(question: string): Statement[] {
  return sentencesIn(question, 'the question', true).filter(({text}) => !/[?？]$/u.test(text));
}

/** Of quoted texts, each below its name: a survey of the workspace, passages that were found, or what was attached. */
export function quotedStatements(section: string): Statement[] {
  const statements: Statement[] = [];
  let reader = readAttached('');
  for (const line of section.split('\n')) {
    if (line.startsWith('>')) statements.push(...reader(line.replace(/^> ?/, '')));
    else if (line.endsWith(':')) reader = readerOf(line.slice(0, -1));
  }
  return statements;
}

/** Takes the lines of one text in order. */
type Reader = (line: string) => Statement[];

function readerOf(name: string): Reader {
  if (name === 'the workspace') return readSurvey();
  return name === 'passages of its documents' ? readPassages() : readAttached(name);
}

const fileHead = /^## (?<path>[\w.-]+\.\w+)$/;

/** `## README.md`, then its lines. The listing before it says nothing. */
function readSurvey(): Reader {
  let path = '';
  let number = 0;
  return (line) => {
    const found = fileHead.exec(line)?.groups?.['path'];
    if (found !== undefined) [path, number] = [found, 0];
    else number += 1;
    return found === undefined && path !== '' ? sentencesIn(line, `${path}:${number}`, false) : [];
  };
}

const passageHead = /^\[\d+\] (?<path>.+):(?<first>\d+)-\d+$/;

/** `[1] docs/a.md:3-7`, then its lines, quoted. */
function readPassages(): Reader {
  let path = '';
  let number = 0;
  return (line) => {
    const found = passageHead.exec(line)?.groups;
    if (found) [path, number] = [found['path'] ?? '', Number(found['first']) - 1];
    if (!line.startsWith('>')) return [];
    number += 1;
    return sentencesIn(line.replace(/^> ?/, ''), `${path}:${number}`, true);
  };
}

function readAttached(name: string): Reader {
  let number = 0;
  return (line) => {
    number += 1;
    return sentencesIn(line, `${name}:${number}`, true);
  };
}

/** Headings, code and single words state nothing. */
function sentencesIn(line: string, place: string, isGiven: boolean): Statement[] {
  if (/^\s*(?:#|```|\||[{}[\]"])/.test(line)) return [];
  return line
    .split(sentenceEnd)
    .map((text) => text.replace(/^[\s*+-]+/, '').trim())
    .filter((text) => text.length >= shortest || /[^\p{ASCII}]{6}/u.test(text))
    .map((text) => ({place, text: text.slice(0, longest).toWellFormed(), isGiven}));
}
