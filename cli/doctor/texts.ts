/** The words of the doctor: the checked parts, its findings, and whether a run can start. */

import {inLanguages} from '../language.ts';
import {countText} from '../render/numbers.ts';

const en = {
  marks: {ok: 'ok', warning: 'warning', failed: 'FAILED', skipped: '-'},
  canStart: 'A run can start. Try: quorate ask "What is this project about?"',
  cannotStart: 'A run cannot start: see what has FAILED.',
  parts: {
    dataFolder: 'data folder',
    temporaryFolder: 'temporary folder',
    journal: 'journal',
    sandbox: 'sandbox',
    limits: 'limits',
    proxy: 'proxy',
    configuration: 'configuration',
    userFile: 'user file',
    projectFile: 'project file',
    decisionModel: 'decision model',
    explorationModel: 'exploration model',
    panel: 'panel',
    approval: 'approval',
    models: 'models',
    askModel: 'ask model',
    interviewModel: 'interview model',
    provider: (name: string) => `provider ${name}`,
    model: (name: string) => `model ${name}`,
    documents: 'documents',
    web: 'web',
    database: 'database',
    tools: 'tools',
    run: (id: string) => `run ${id}`,
  },
  noFile: (path: string) => `none (${path})`,
  notTrusted: (file: string) => `${file}, not trusted: may only tighten`,
  nodeWithoutDatabases: (version: string) =>
    `${version}; databases can be asked with Node 24.15 or newer only`,
  nodeTooOld: (version: string) =>
    `${version}; Node 24.15 or newer (or 22.23 of the line 22) is needed`,
  noSqlite: 'this Node was built without it',
  diskFull: (folder: string) => `${folder}: its disk is full (ENOSPC); free some space`,
  notWritable: (folder: string, code: string) =>
    `${folder}: it can't be written (${code}); set QUORATE_HOME to a folder of yours`,
  noTemporaryFolder: (folder: string, code: string, other?: string) =>
    `${folder} can't be used (${code})${other === undefined ? '' : `; ${other} is used instead`}; set TMPDIR to a folder that you can write`,
  unconfined: 'off: commands run unconfined',
  confined: (mode: string, by: string) => `${mode}: commands are confined by ${by}`,
  weaker: (confined: string, hint: string) =>
    `${confined}, so they can open no socket (not even for [sandbox] network), and a killed Quorate leaves changes of protected places; bubblewrap has neither limit: ${hint}`,
  requiredButMissing: (why: string) => `required, but ${why}`,
  unconfinedUntilThen: (why: string) => `${why}. Until then commands run unconfined`,
  withHint: (why: string, hint: string) => `${why}; ${hint}`,
  linuxOnly: 'it exists for Linux only',
  run: (command: string) => `run: ${command}`,
  installPackage: 'install the package bubblewrap of your system',
  bounds: (megabytes: number, processes: number) =>
    `a command gets at most ${megabytes} MB of memory and ${processes} processes, by systemd`,
  unbounded: (problem: string) =>
    `nothing bounds the memory of commands as a whole, nor root's processes: ${problem}`,
  noJournal: 'none yet',
  runsIn: (file: string, runs: number, open: number) =>
    `${file}; ${countText(runs, 'run')}, ${open} open`,
  sizes: (bytes: string, backups: string) =>
    `; ${bytes}, of which ${backups} keep earlier contents of files for undo`,
  notResumable: {
    outdated: (request: string) =>
      `this version can't resume it, as another one recorded it; show, export, undo, cancel and fork work: ${request}`,
    damaged: (request: string) => `no version can resume it, as its journal is damaged: ${request}`,
  },
  noGit: 'not found; models often want to use it',
  proxyUsed: (name: string, origin: string) => `${name} is in use: ${origin}`,
  proxyUnused: (name: string) => `${name} is set but not used: set NODE_USE_ENV_PROXY=1 to use it`,
  veto: (seat: string) => `${seat} (veto)`,
  seats: (seats: string, rule: string) => `${seats}; rule ${rule}`,
  judged: (model: string, screened: string, judges: string) =>
    `plans and risky actions of ${model}: ${screened}votes of ${judges}`,
  mayVeto: (policies: string) => `${policies} may veto; then `,
  itself: (model: string) => `${model} itself`,
  withReviewer: (model: string, reviewer: string) => `${model}; reviewer ${reviewer}`,
  notAsked: 'not asked (--online asks)',
  needsNoKey: (url: string) => `needs no key; ${url}`,
  keySet: (variable: string) => `${variable} is set`,
  keyMissing: (variable: string) => `${variable} is not set`,
  answers: (seconds: string) => `answers within ${seconds} s`,
  noAnswer: (seconds: number) =>
    `has not answered within ${seconds} s; it may still be loading: a run waits longer`,
  searched: (documents: string) => `quorate ask searches ${documents}`,
  allAddresses: 'web_fetch, private addresses too',
  publicAddresses: 'web_fetch, public addresses only',
};

export type DoctorTexts = Readonly<typeof en>;

const ja: DoctorTexts = {
  marks: {ok: '正常', warning: '警告', failed: '失敗', skipped: '-'},
  canStart: '実行を始められます。例: quorate ask "What is this project about?"',
  cannotStart: '実行を始められません。「失敗」の項目を確かめてください。',
  parts: {
    dataFolder: 'データのフォルダ',
    temporaryFolder: '一時フォルダ',
    journal: 'ジャーナル',
    sandbox: '隔離',
    limits: '上限',
    proxy: 'プロキシ',
    configuration: '設定',
    userFile: 'ユーザーのファイル',
    projectFile: 'プロジェクトのファイル',
    decisionModel: '判断のモデル',
    explorationModel: '調査のモデル',
    panel: '合議体',
    approval: '承認',
    models: 'モデル',
    askModel: '質問のモデル',
    interviewModel: 'インタビューのモデル',
    provider: (name) => `プロバイダー ${name}`,
    model: (name) => `モデル ${name}`,
    documents: '文書',
    web: 'Web',
    database: 'データベース',
    tools: '道具',
    run: (id) => `実行 ${id}`,
  },
  noFile: (path) => `なし（${path}）`,
  notTrusted: (file) => `${file}、信頼なし: 厳しくする設定だけが有効`,
  nodeWithoutDatabases: (version) =>
    `${version}。データベースへの問い合わせには Node 24.15 以降が必要です`,
  nodeTooOld: (version) => `${version}。Node 24.15 以降（22 系なら 22.23 以降）が必要です`,
  noSqlite: 'この Node には含まれていません',
  diskFull: (folder) => `${folder}: ディスクがいっぱいです (ENOSPC)。空きを作ってください`,
  notWritable: (folder, code) =>
    `${folder}: 書き込めません (${code})。QUORATE_HOME に自分のフォルダを設定してください`,
  noTemporaryFolder: (folder, code, other) =>
    `${folder} は使えません (${code})${other === undefined ? '' : `。代わりに ${other} を使います`}。書き込めるフォルダを TMPDIR に設定してください`,
  unconfined: 'off: コマンドは隔離なしで動きます',
  confined: (mode, by) => `${mode}: ${by} がコマンドを隔離します`,
  weaker: (confined, hint) =>
    `${confined}。コマンドはソケットを開けず（[sandbox] network も無効）、Quorate が強制終了されると保護された場所の変更が残ります。bubblewrap ならどちらも解決します: ${hint}`,
  requiredButMissing: (why) => `必須ですが使えません: ${why}`,
  unconfinedUntilThen: (why) => `${why}。それまでコマンドは隔離なしで動きます`,
  withHint: (why, hint) => `${why}。${hint}`,
  linuxOnly: 'Linux だけで使えます',
  run: (command) => `次を実行してください: ${command}`,
  installPackage: 'システムのパッケージ bubblewrap を入れてください',
  bounds: (megabytes, processes) =>
    `systemd の scope の中で、コマンドのメモリは最大 ${megabytes} MB、プロセスは最大 ${processes} 個です`,
  unbounded: (problem) =>
    `コマンド全体のメモリと root のプロセスの数に上限をかけられません: ${problem}`,
  noJournal: 'まだありません',
  runsIn: (file, runs, open) => `${file}。実行 ${runs} 件、うち未完了 ${open} 件`,
  sizes: (bytes, backups) => `、${bytes}、うち undo に要るファイルの前の内容 ${backups}`,
  notResumable: {
    outdated: (request) =>
      `別の版の記録のため、この版では再開できません。show、export、undo、cancel、fork は使えます: ${request}`,
    damaged: (request) => `ジャーナルが壊れているため、どの版でも再開できません: ${request}`,
  },
  noGit: '見つかりません。モデルがよく使います',
  proxyUsed: (name, origin) => `${name} を使用中: ${origin}`,
  proxyUnused: (name) =>
    `${name} は設定されていますが使われていません。使うには NODE_USE_ENV_PROXY=1 を設定してください`,
  veto: (seat) => `${seat}（拒否権）`,
  seats: (seats, rule) => `${seats}。規則 ${rule}`,
  judged: (model, screened, judges) =>
    `${model} の計画と危険な操作: ${screened}${judges} が投票します`,
  mayVeto: (policies) => `${policies} に拒否権があり、続いて `,
  itself: (model) => `${model} 自身`,
  withReviewer: (model, reviewer) => `${model}。レビュアー ${reviewer}`,
  notAsked: '問い合わせていません（--online で問い合わせます）',
  needsNoKey: (url) => `キーは不要。${url}`,
  keySet: (variable) => `${variable} は設定済み`,
  keyMissing: (variable) => `${variable} は未設定`,
  answers: (seconds) => `${seconds} 秒以内に応答`,
  noAnswer: (seconds) =>
    `${seconds} 秒以内に応答がありません。読み込み中かもしれません。実行ではもっと長く待ちます`,
  searched: (documents) => `quorate ask が検索する文書: ${documents}`,
  allAddresses: 'web_fetch、プライベートなアドレスも可',
  publicAddresses: 'web_fetch、公開アドレスのみ',
};

export const doctorTexts = inLanguages({en, ja});
