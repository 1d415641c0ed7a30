/** The requests that the offline model understands, as data for the help, the README, the refusals and the tests. */

export interface SkillText {
  readonly skill: string;
  readonly does: string;
  /** Each is understood verbatim. */
  readonly phrases: readonly string[];
}

/** Two lines for each skill: its name and description, and its phrases. */
const table = `
explanation: Describes a repository from its manifests (package.json, pyproject.toml, Cargo.toml, go.mod), the beginning of its README, and its files.
Explain this repository · What does this project do? · このリポジトリを説明して
overview: Writes that description to a file, with entry points, scripts, largest files, tests and the number of TODOs; in English or Japanese.
Write an overview of this repository to OVERVIEW.md · Write a short summary of the project to docs/summary.md in Japanese · このリポジトリの概要を OVERVIEW.md に書いて
todos: Lists TODO and FIXME comments with file and line, or writes them to a file.
List TODOs in src · Collect all TODO and FIXME comments into TODO.md · TODO と FIXME を TODO.md にまとめて
definitions: Finds where a name is defined and quotes the lines; definitions come first.
Where is getUser defined? · Find the definition of class Option in src · getUser はどこで定義されていますか？
facts: Counts or lists files, reports the version and the command of the tests.
How many Python files are there in src? · What is the version of this project? · How do I run the tests?
tests: Runs the tests as configured in package.json, Cargo.toml, go.mod, pytest’s settings or the Makefile.
Run the tests · テストを実行して
commands: Runs one shell command after the panel has approved it, and reports its output.
Run \`npm test\` and report · git status · \`npm test\` を実行して
creation: Writes a new file with the given content and a newline at its end. An existing file is shown and left unchanged, unless the request is to replace its content.
Create a file notes.txt with the content "Hello" · Write hello world to hello.txt · Create notes.txt with the text: hello · Create config.json with {"debug": true} · Create notes.txt with the lines "a" and "b" · Create notes.txt with the content "Hello" if it does not exist · Replace the content of notes.txt with "Hello" · notes.txt を「Hello」という内容で作成して
appending: Adds lines at the end of files, or creates the files.
Append the line "Done." to notes.txt · Append "Done." to a.txt and b.txt · Add "Done." to the end of notes.txt · notes.txt に「完了」を追加して
lines: Inserts a line at the top of a file or before or after another line, changes a line, or deletes a line; lines are identified by number or by their whole text.
Insert "# Notes" at the top of notes.txt · Insert "b" after the line "a" in notes.txt · Change line 2 of notes.txt to "b" · Delete the line "b" from notes.txt · notes.txt の2行目を削除して
keys: Sets, adds or removes a key of a JSON file, which keeps its indentation and order.
Set "debug" to true in config.json · Change the port in config.json from 3000 to 8080 · Add the key "debug" with the value true to config.json · Remove the key "debug" from config.json · config.json の "debug" を true にして
version: Sets the version in package.json or another JSON file.
Bump the version to 1.5.0 · Bump the patch version · バージョンを 1.5.0 に上げて
replacement: Replaces a text literally, or renames an identifier, in all files or in a scope; nothing changes if more than 200 files match. A rename leaves strings and paths unchanged, and lists them.
Replace "colour" with "color" in all .md files · Replace colour with color in docs and src, but not in docs/old · Rename getUser to fetchUser in all Python files · Fix the typo "teh" in README.md · docs の「colour」を「color」に置き換えて
moving: Deletes files, moves, renames or copies a file, or creates a folder, with a command that the panel votes on. No file is overwritten.
Delete a.txt and b.txt · Rename a.js to z.js · Move a.txt to docs/a.txt · Copy a.txt to b.txt · Create the folder build · notes.txt を削除して · a.txt を b.txt にコピーして`;

export const repertoire: readonly SkillText[] = table
  .matchAll(/^(\w+): (.+)\n(.+)$/gm)
  .map(([, skill = '', does = '', list = '']) => ({skill, does, phrases: list.split(' · ')}))
  .toArray();

/** Scopes, and connections of several parts, that any of these requests may have. */
export const grammar = {
  scopes:
    'in src · in the docs folder · in README.md only · in a.md, b.md and docs · in *.md · in all Python files in src · everywhere except src · but don’t touch README.md · src で · *.md だけで · docs 以外で'.split(
      ' · ',
    ),
  parts: [
    'Run `npm test` and then run `npm run build`',
    'Create a.txt with "x"; then delete b.txt',
  ],
} as const;

export interface QuestionText {
  readonly phrase: string;
  readonly does: string;
}

export const questions: readonly QuestionText[] = `
What is (17 ** 3 - 1) // 7 % 100? → computes it
sqrt(2) → computes it; also 2 の 10 乗は？
What does src/format.js do? → describes the named file: size, head comment, names, or the lines with other words of the question; also an attached diff or text
Who calls computeTotal? → shows the lines that call, use or define a name
How many rows are in data.csv? → counts rows and columns of CSV, adds up, averages
SELECT name FROM customers LIMIT 3 → runs the query on the database of --db
Show the tables → lists the tables of the database with their columns
How many orders are there? → counts rows; also 注文は何件？ · How many orders did Bob make in 2025? · How many orders are cancelled?
What is the total amount of orders per customer? → computes a total, an average, the largest or the smallest of a column, also per group, and shows the query
Which three customers ordered most in 2025? → counts rows of the table that matches the words, and shows the query
Where is the port of the server set? → searches code and documents, and quotes the lines found with file and line`
  .trim()
  .split('\n')
  .map((line) => line.split(' → '))
  .map(([phrase = '', does = '']) => ({phrase, does}));
