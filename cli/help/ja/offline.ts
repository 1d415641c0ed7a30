/** The abilities of the offline model. Each line: the English text, its Japanese. */

export const offline = `
Describes a repository from its manifests (package.json, pyproject.toml, Cargo.toml, go.mod), the beginning of its README, and its files. = リポジトリが何かを説明します: マニフェスト（package.json、pyproject.toml、Cargo.toml、go.mod）、README の冒頭、ファイルから。
Writes that description to a file, with entry points, scripts, largest files, tests and the number of TODOs; in English or Japanese. = それをファイルに書きます。入口、スクリプト、最大のファイル、テスト、TODO の数も。英語か日本語で。
Lists TODO and FIXME comments with file and line, or writes them to a file. = TODO と FIXME のコメントをファイルと行とともに一覧するか、ファイルに書きます。
Finds where a name is defined and quotes the lines; definitions come first. = 名前が定義されている所をそのまま引用します。定義の行が先に来ます。
Counts or lists files, reports the version and the command of the tests. = ファイルを数えるか一覧し、版とテストの実行方法を答えます。
Runs the tests as configured in package.json, Cargo.toml, go.mod, pytest’s settings or the Makefile. = package.json、Cargo.toml、go.mod、pytest の設定、Makefile のとおりにテストを実行します。
Runs one shell command after the panel has approved it, and reports its output. = 合議体の承認を得て、シェルコマンドを 1 つ実行し、出力を報告します。
Writes a new file with the given content and a newline at its end. An existing file is shown and left unchanged, unless the request is to replace its content. = 与えられた内容と末尾の改行で新しいファイルを書きます。すでにあるファイルは、内容を置き換えるのでなければ、示すだけで変えません。
Adds lines at the end of files, or creates the files. = ファイルの末尾に行を加えるか、ファイルを作ります。
Inserts a line at the top of a file or before or after another line, changes a line, or deletes a line; lines are identified by number or by their whole text. = ファイルの先頭、または別の行の前後に行を入れるか、行を変えるか、消します。行は番号か全文で示します。
Sets, adds or removes a key of a JSON file, which keeps its indentation and order. = JSON ファイルのキーを設定、追加、削除します。字下げと順序は保ちます。
Sets the version in package.json or another JSON file. = package.json か別の JSON ファイルの版を設定します。
Replaces a text literally, or renames an identifier, in all files or in a scope; nothing changes if more than 200 files match. A rename leaves strings and paths unchanged, and lists them. = すべてのファイルか範囲の中で、テキストをそのまま置き換えるか、識別子の名前を変えます。200 を超えるファイルでは何もしません。名前の変更は文字列とパスには触れず、それらを挙げます。
Deletes files, moves, renames or copies a file, or creates a folder, with a command that the panel votes on. No file is overwritten. = 投票にかけたコマンドで、ファイルを削除、移動、改名、コピーするか、フォルダを作ります。何も置き換えません。
computes it = 計算する
computes it; also 2 の 10 乗は？ = 計算する。2 の 10 乗は？ でも
describes the named file: size, head comment, names, or the lines with other words of the question; also an attached diff or text = 名前のあるファイルを説明する: サイズ、冒頭のコメント、名前、または質問のほかの語を含む行。添付された差分やテキストでも
shows the lines that call, use or define a name = 名前を呼び、使い、定義する行を示す
counts rows and columns of CSV, adds up, averages = CSV の行と列を数え、合計、平均する
runs the query on the database of --db = --db のデータベースで問い合わせを実行する
lists the tables of the database with their columns = データベースの表を列とともに一覧する
counts rows; also 注文は何件？ · How many orders did Bob make in 2025? · How many orders are cancelled? = 行を数える。注文は何件？ · How many orders did Bob make in 2025? · How many orders are cancelled? でも
computes a total, an average, the largest or the smallest of a column, also per group, and shows the query = 列の合計、平均、最大、最小を計算し（グループごとにも）、問い合わせを示す
counts rows of the table that matches the words, and shows the query = 語に合う表で数え、問い合わせを示す
searches code and documents, and quotes the lines found with file and line = コードと文書を検索し、見つけた所をファイルと行とともに引用する`;
