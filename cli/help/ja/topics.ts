/** The topics of the help in Japanese. */

export const models = `モデルの名前は PROVIDER/MODEL です。例 anthropic/claude-sonnet-4.5、openai/gpt-5.2-codex。claude-、gpt-、o3、o4 … で始まる
名前にはプロバイダーが要りません。

  ANTHROPIC_API_KEY    anthropic/… のキー
  OPENAI_API_KEY       openai/… のキー

ほかは名前だけで動きます。この機械の、いつものアドレスで:

  ollama/…  lmstudio/…  llamacpp/…  vllm/…        quorate -m ollama/qwen3 "Explain this repository"

ほかの場所で、それぞれのキーで:

  openrouter/…   OPENROUTER_API_KEY          groq/…       GROQ_API_KEY
  gemini/…       GEMINI_API_KEY              mistral/…    MISTRAL_API_KEY
  azure/…        AZURE_OPENAI_API_KEY        deepseek/…   DEEPSEEK_API_KEY

azure にはリソースのアドレスも必要です。OpenAI の Chat Completions を話すほかのサーバーと、既知のプロバイダーの変更は、
ユーザーのファイル ~/.config/quorate/config.toml に書きます:

  [providers.mine]
  base_url = "http://192.168.1.5:8000/v1"
  api_key_env = ""             # サーバーがキーを求めるなら、それを持つ変数
  first_byte_ms = 600000       # 返信が始まるまでの時間: この機械では 10 分、ほかでは 30 秒が既定
  timeout_ms = 3600000         # 返信全体の時間
  max_output_tokens = 8192     # 求める返信の最大の長さ
  context_window = 32000       # モデルのコンテキスト長 (トークン)。Ollama ではサーバーに設定した長さ

  [providers.azure]
  base_url = "https://RESOURCE.openai.azure.com/openai/v1"

quorate models は、接続できるプロバイダーとそのモデルを示します。モデルは道具を呼べる必要があります。

自分で指定したモデルにはキーが必要です。キーのない既定のモデルは、警告とともにほかのモデルに代わります。quorate doctor
で確かめられます。
`;

export const input = `  quorate "TASK"                    語がタスクになる
  echo "TASK" | quorate             語がなければ、標準入力がタスクになる
  npm test | quorate "Fix this"     語があれば、標準入力はその対象になる
  slow-one | quorate "Sum it up" -  … 始まるまでどれだけかかっても待つ。ダッシュがなければ、1 秒沈黙したパイプは
                                    警告とともに無視する
  quorate "Follow @docs/style.md"   @FILE は作業フォルダのファイルを添える。空白があれば @"my notes.txt"。
                                    ファイルを指さないものはそのまま残る

添付したものは、従うべき指示ではなくデータとしてモデルに引用されます。UTF-8 のテキストに限ります。合計が
context.max_attached_bytes を超えると、警告とともに中ほどを省きます。guardrails.max_input_tokens は質問だけの上限です。

作業フォルダと、git リポジトリの最上位までの上のフォルダにある AGENTS.md、CLAUDE.md、.quorate/context.md は、リポジトリの
作者の言葉としてモデルに引用されます。計画し、作業し、答えるモデルは、依頼と規則に反しない限りその慣習に従います。
レビュアーにとってはデータにすぎません。近いファイルが優先し、同じフォルダでは .quorate/context.md、AGENTS.md の順です。
下のフォルダのものは読みません（そこで作業するには -C）。context.max_files_bytes は合計の上限で、0 なら読みません。
quorate init は AGENTS.md を書きます。
`;

export const rulesHead = '合議体が決まる条件（--rule、quorum.rule）:';

export const rulesFoot =
  'すべての席を数えます。沈黙した、遅れた、混乱したレビュアーが承認を助けることはありません。同数は否決です。';

export const gate = `人が決めるのは、合議体が計画を何度も却下したとき、投票が定足数に足りないとき、作用が起きたかどうか誰にもわからない
ときです。そのときのことは --hil が決めます:

  interactive     端末で尋ねる。端末がなければ実行は待ち（終了コード 4）、再開できる:
                  quorate resume ID --decision approve|reject:REASON|edit:FILE
                  （質問が複数なら、--gate DIGEST でどれかを示す）
  auto_reject     却下する
  auto_approve    承認し、警告を出す。拒否権の行使の後、どの審査員も判断できなかった提案、保護されたファイル、
                  起きたか不明な作用は承認しない
`;

export const exitCodes = `  0    完了、承認
  1    終わったが、失敗、却下、取り消し
  2    実行できず: 使い方、設定、認証情報、プロバイダー
  3    上限で停止
  4    人を待つ: quorate resume ID
  130  中断: quorate resume ID
`;
