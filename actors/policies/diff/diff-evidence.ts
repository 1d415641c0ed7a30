/** The rules of policy/evidence for diffs: signs of unfinished work, and of tests that do not run. */

import {type DiffLook, type DiffRule, type Finding, lineRule, type LineTest} from './diff-rule.ts';
import {isTest, languageOf} from './file-kinds.ts';

type Patterns = Readonly<Partial<Record<NonNullable<ReturnType<typeof languageOf>>, RegExp>>>;

const focused: Patterns = {
  js: /\b(?:describe|context|suite|it|test|specify)(?:\.\w{1,20})?\.only\s*\(|(?:^|[\s;(])(?:fdescribe|fcontext|fit)\s*\(/,
  ruby: /(?:^|\s)(?:fdescribe|fcontext|fit)\s|,\s*(?:focus:\s*true|:focus)\b/,
};

const disabled: Patterns = {
  js: /\b(?:describe|context|suite|it|test|specify)(?:\.\w{1,20})?\.(?:skip|todo)\s*\(|(?:^|[\s;(])(?:xdescribe|xcontext|xit|xtest)\s*\(/,
  python: /@(?:pytest\.mark\.(?:skip|xfail)|unittest\.skip)\b|\bpytest\.skip\s*\(/,
  ruby: /(?:^|\s)(?:xdescribe|xcontext|xit|pending)\s+['"]/,
  rust: /#\[ignore\b/,
  go: /\bt\.Skip(?:f|Now)?\(/,
  php: /\bmarkTest(?:Skipped|Incomplete)\s*\(/,
  jvm: /@(?:Ignore|Disabled)\b/,
};

const debuggers: Patterns = {
  js: /(?:^|[;{}])\s*debugger\s*(?:;|$)/,
  python: /(?:^|[\s;])(?:breakpoint\(\)|(?:i?pdb|pudb)\.set_trace\(\)|import\s+(?:i?pdb|pudb)\b)/,
  ruby: /\bbinding\.(?:pry|irb)\b|^\s*(?:byebug|debugger)\s*$/,
  rust: /\bdbg!\s*\(/,
  php: /(?:^|[\s;])(?:var_dump|dd|xdebug_break)\s*\(/,
};

const output: Patterns = {
  js: /(?:^|[\s;{(])console\.(?:log|debug|trace|dir|table)\s*\(/,
  jvm: /\bSystem\.(?:out|err)\.print|\.printStackTrace\(\)/,
};

export const evidenceDiffRules: readonly DiffRule[] = [
  {
    id: 'merge-marker',
    refuses: 'conflict markers of an unfinished merge: `<<<<<<<`, `>>>>>>>`, `|||||||`',
    safer: 'finish the merge',
    severity: 'critical',
    find: mergeMarkers,
  },
  lineRule({
    id: 'focused-test',
    refuses: 'a test that keeps all others from running: `it.only(`, `fdescribe(`, `fit(`',
    safer: 'remove the focus, so that all tests run',
    severity: 'major',
    test: matcher(focused),
  }),
  lineRule({
    id: 'disabled-test',
    refuses:
      'a disabled test: `it.skip(`, `xit(`, `@pytest.mark.skip`, `@Ignore`, `#[ignore]`, `t.Skip(`',
    safer: 'fix the test, or delete it and say why',
    severity: 'major',
    test: matcher(disabled),
  }),
  lineRule({
    id: 'debugger',
    refuses:
      'a debugger call that was left in the code: `debugger`, `breakpoint()`, `pdb.set_trace()`, `binding.pry`, `dbg!`',
    safer: 'remove it',
    severity: 'major',
    test: matcher(debuggers),
  }),
  lineRule({
    id: 'debug-output',
    refuses:
      'remarks on output that looks like a leftover of debugging: `console.log(` outside of tests and scripts',
    safer: 'remove it, or use the log',
    severity: 'minor',
    test: (path) => (isTest(path) || isTooling(path) ? undefined : matcher(output)(path)),
  }),
];

/** Ignores lines that are comments. */
function matcher(patterns: Patterns): (path: string) => LineTest | undefined {
  return (path) => {
    const language = languageOf(path);
    const pattern = language && patterns[language];
    return pattern && ((text) => (comment.test(text) ? undefined : pattern.exec(text)?.[0].trim()));
  };
}

const comment = /^\s*(?:\/\/|\/?\*|#(?!\[))/;

function isTooling(path: string): boolean {
  return /(?:^|\/)(?:scripts?|bin|cli|examples?|benchmarks?|bench)\//.test(path);
}

/** Ignores `=======`, which underlines headings in many texts: a conflict has the other markers as well. */
function mergeMarkers({added}: DiffLook): Finding[] {
  return added.flatMap(({line, text}) =>
    /^(?:<{7}|>{7}|\|{7})(?:\s|$)/.test(text) ? [{line, value: text}] : [],
  );
}
