/** The names of the tests in a file, read from its text. */

/** Begins on a line of its own, as the formatter writes it. */
const call = /^( *)(?:describe|it|test)(?:\.\w+)*(?=[(<])/gm;

/** Each name as `vitest -t` matches it: the titles of the groups, then its own, with placeholders as they are written. */
export function testNames(source: string): readonly string[] {
  const groups: {readonly indent: number; readonly title: string}[] = [];
  return [...source.matchAll(call)].flatMap(({0: head, 1: blanks = '', index}) => {
    const title = titleAt(source, index + head.length);
    if (title === undefined) return [];
    while ((groups.at(-1)?.indent ?? -1) >= blanks.length) groups.pop();
    const name = [...groups.map((group) => group.title), title].join(' > ');
    if (!head.includes('describe')) return [name];
    groups.push({indent: blanks.length, title});
    return [];
  });
}

/** The text at the beginning of the first list of arguments that begins with a text. */
function titleAt(source: string, from: number): string | undefined {
  const title = /\(\s*(['"`])((?:\\.|(?!\1).)*)\1/sy;
  const first = source[from] === '<' ? source.indexOf('>(', from) + 1 : from;
  for (let at = first; source[at] === '('; at = afterArguments(source, at)) {
    title.lastIndex = at;
    const text = title.exec(source)?.[2];
    if (text !== undefined) return text.replaceAll(/\\(.)/gs, '$1');
  }
  return undefined;
}

/** Behind the parenthesis that closes the one at this place. */
function afterArguments(source: string, from: number): number {
  const token = /(['"`])(?:\\.|(?!\1).)*\1|\/\/[^\n]*|[()]/gs;
  token.lastIndex = from;
  let depth = 0;
  for (let found = token.exec(source); found; found = token.exec(source)) {
    if (found[0] === '(') depth += 1;
    if (found[0] === ')') depth -= 1;
    if (depth === 0) return token.lastIndex;
  }
  return source.length;
}
