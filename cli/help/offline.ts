/** What `quorate help offline` says: the repertoire of the offline model, as a test compares. */

export const offline = `With no model configured, a built-in rule-based model works and the policy reviewers vote. It calls no model and costs
nothing. A request is understood only if every word of it is; else it says so and does nothing. Courtesies such as
“please” are left out.

Tells what a repository is: from its manifests (package.json, pyproject.toml, Cargo.toml, go.mod), what its README
says first, and its files.
  Explain this repository
  What does this project do?
  このリポジトリを説明して

Writes that into a file, with entry points, scripts, largest files, tests and the number of TODOs; in English or
Japanese.
  Write an overview of this repository to OVERVIEW.md
  Write a short summary of the project to docs/summary.md in Japanese
  このリポジトリの概要を OVERVIEW.md に書いて

Lists TODO and FIXME comments with file and line, or writes them into a file.
  List TODOs in src
  Collect all TODO and FIXME comments into TODO.md
  TODO と FIXME を TODO.md にまとめて

Finds where a name is defined, verbatim; lines that define it come first.
  Where is getUser defined?
  Find the definition of class Option in src
  getUser はどこで定義されていますか？

Counts or lists files, tells the version, and how the tests are run.
  How many Python files are there in src?
  What is the version of this project?
  How do I run the tests?

Runs the tests, as package.json, Cargo.toml, go.mod, pytest’s settings or the Makefile say.
  Run the tests
  テストを実行して

Runs one shell command, once the panel has approved it, and reports what it printed.
  Run \`npm test\` and report
  git status
  \`npm test\` を実行して

Writes a new file with exactly the given content. A file that exists is shown and left alone, unless its content is to
be replaced.
  Create a file notes.txt with the content "Hello"
  Write hello world to hello.txt
  Create notes.txt with the text: hello
  Create notes.txt with the content "Hello" if it does not exist
  Replace the content of notes.txt with "Hello"
  notes.txt を「Hello」という内容で作成して

Adds lines at the end of a file, or creates it.
  Append the line "Done." to notes.txt
  Add "Done." to the end of notes.txt
  notes.txt に「完了」を追記して

Replaces a text literally, or renames an identifier as a whole word, in all files or in a scope; of more than 200
files none.
  Replace "colour" with "color" in all .md files
  Replace colour with color in docs and src, but not in docs/old
  Rename getUser to fetchUser in all Python files
  docs の「colour」を「color」に置き換えて

Deletes, moves or renames one file, by a command that is voted on. Nothing is replaced.
  Delete notes.txt
  Rename a.js to z.js
  notes.txt を削除して

Searches and changes take a scope. A pattern without a folder means names in any folder.
  in src
  in the docs folder
  in README.md only
  in a.md, b.md and docs
  in *.md
  in all Python files in src
  everywhere except src
  but don’t touch README.md
  src で
  *.md だけで
  docs 以外で

Several requests follow each other.
  Run \`npm test\` and then run \`npm run build\`
  Create a.txt with "x"; then delete b.txt

quorate ask answers questions on the repository (what it is, where a name is defined, counts, version, tests), and:
  What is (17 ** 3 - 1) // 7 % 100?
      computes it
  sqrt(2)
      computes it; also 2 の 10 乗は？
  SELECT name FROM customers LIMIT 3
      runs the query on the database of --db
  Show the tables
      lists the tables of the database with their columns
  How many orders are there?
      counts rows; also 注文は何件？ · How many orders did Bob make in 2025? · How many orders are cancelled?
  What is the total amount of orders per customer?
      computes a total, an average, the largest or the smallest of a column, also per group, and shows the query
  Which three customers ordered most in 2025?
      counts in the table that fits the words, and shows the query
  Where is the port of the server set?
      searches code and documents, and quotes what it found with its place

Files that exist are never replaced unseen, line ends are kept, and text that is not in UTF-8 is named and left alone.
To have a language model work: quorate help models.
`;
