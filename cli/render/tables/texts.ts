/** The fixed words of tables and of runs that are shown: titles of columns and sections, and states. */

import {inLanguages} from '../../language.ts';
import {countText} from '../numbers.ts';

const en = {
  sessions: {
    titles: ['ID', 'AGE', 'FORM', 'STATE', 'COST'] as readonly string[],
    folder: 'FOLDER',
    request: 'REQUEST',
    session: 'session',
    interactions: (count: number) => countText(count, 'interaction'),
    starts: 'quorate "TASK" starts one',
    inFolder: (folder: string) => ` in ${folder}`,
    others: 'quorate runs --all lists those of every folder',
    noneWith: (where: string, words: string) => `no run${where} with ${words}`,
    none: (where: string) => `no runs${where}`,
    noneYet: 'no runs yet',
    separator: '; ',
    hidden: (count: number) => `… and ${countText(count, 'older session')}: quorate runs --limit N`,
  },
  models: {
    providers: ['PROVIDER', 'STATE', 'MODELS', ''] as readonly string[],
    models: ['MODEL', '$ IN', '$ OUT', 'ROLES'] as readonly string[],
    states: {
      builtIn: 'built in',
      reachable: 'reachable',
      noKey: 'no key',
      noAddress: 'no address',
      unlisted: 'no list',
      keyRefused: 'key refused',
      unreachable: 'unreachable',
    },
    none: 'No model is available: see quorate help models.',
    more: (count: number, provider: string) => `… ${count} more: quorate models ${provider}`,
  },
  recount: {
    titles: ['', '#', 'RECORDED', 'COUNTED AGAIN', 'VOTE ON'] as readonly string[],
    verdicts: {
      approved: 'approved',
      rejected: 'rejected',
      noQuorum: 'no quorum',
      unknown: 'unknown',
    },
    votes: (count: number) => countText(count, 'vote'),
    nothing: 'No panel has decided anything in it.',
    same: 'No vote would have ended otherwise.',
  },
  policy: {
    verdicts: {approve: 'APPROVE', refuse: 'REFUSE', cannot_judge: "CAN'T JUDGE"},
    lines: {
      reads: 'reads',
      writes: 'writes',
      runs: 'runs',
      reaches: 'reaches',
      grade: 'grade',
      why: 'why',
    },
    none: 'nothing that its words name',
    grade: (by: string, undoable: boolean) =>
      by === 'none'
        ? 'none: commands run unconfined here'
        : `${by}; ${undoable ? 'its changes can be undone' : 'not all of its changes can be undone'}`,
    approved: {
      reads: 'It only reads, or runs a usual check.',
      contained: 'It runs confined, and its changes can be undone.',
    },
    people: 'No rule decides: the models that vote, or a person.',
    more: (count: number) => `, and ${count} more`,
    workspace: 'the workspace',
    wide: (name: string) => `${name} (more than one file)`,
  },
  cost: {
    titles: ['', 'CALLS', 'TOKENS IN', 'OUT', 'COST', 'REQUEST'] as readonly string[],
    total: 'total',
  },
  undo: {
    done: {restored: 'restored', removed: 'removed', asBefore: 'as before', left: 'left'},
    toDo: {
      restored: 'would be restored',
      removed: 'would be removed',
      asBefore: 'is as before',
      left: 'would be left',
    },
    inFolder: (folder: string) => `in ${folder}`,
    nothing: '  it has written no files',
    commands: (count: number, id: string) =>
      `Other effects of ${countText(count, 'command')} are not taken back: quorate show ${id} shows them`,
    open: (id: string) =>
      `The run is open: quorate cancel ${id} ends it, quorate resume ${id} continues it`,
  },
  show: {
    opened: (ago: string, entries: number) =>
      `opened ${ago} · ${countText(entries, 'entry', 'entries')}`,
    request: 'Request',
    settings: 'Settings changed since',
    suspended: 'Suspended and resumed',
    interactions: 'Interactions',
    drafts: 'Drafts',
    written: 'Written',
    plan: 'Plan',
    steps: 'Steps',
    answers: 'Answers',
    votes: 'Votes',
    ballots: 'Ballots of the open round',
    inFlight: 'In flight, when it is resumed',
    lastEntry: (state: string, ago: string) => `${state}: the last entry is from ${ago}`,
    cost: (cost: string) => `cost so far: ${cost}`,
    phase: (phase: string) => `phase: ${phase}`,
    continue: (id: string) => `Continue with: quorate resume ${id}`,
    end: (id: string) => `End it with: quorate cancel ${id}`,
    waiting: (kind: string) => `waiting for a person: ${kind}`,
  },
};

type TableTexts = Readonly<typeof en>;

const ja: TableTexts = {
  sessions: {
    titles: ['ID', '経過', '形', '状態', '費用'],
    folder: 'フォルダ',
    request: '依頼',
    session: 'セッション',
    interactions: (count) => `対話 ${count} 件`,
    starts: 'quorate "してほしいこと" で始められます',
    inFolder: (folder) => `${folder} に`,
    others: 'すべてのフォルダの実行は quorate runs --all',
    noneWith: (where, words) => `${where}${words} を含む実行はありません`,
    none: (where) => `${where}実行はありません`,
    noneYet: '実行はまだありません',
    separator: '。',
    hidden: (count) => `… ほかに古いセッションが ${count} 件: quorate runs --limit N`,
  },
  models: {
    providers: ['プロバイダー', '状態', 'モデル', ''],
    models: ['モデル', '入力 $', '出力 $', '役割'],
    states: {
      builtIn: '内蔵',
      reachable: '接続可',
      noKey: 'キーなし',
      noAddress: 'アドレスなし',
      unlisted: '一覧なし',
      keyRefused: 'キー拒否',
      unreachable: '接続不可',
    },
    none: '使えるモデルがありません。quorate help models をご覧ください。',
    more: (count, provider) => `… ほか ${count} 件: quorate models ${provider}`,
  },
  recount: {
    titles: ['', '#', '記録', '数え直し', '投票の対象'],
    verdicts: {approved: '承認', rejected: '却下', noQuorum: '定足数不足', unknown: '不明'},
    votes: (count) => `投票 ${count} 件`,
    nothing: 'この実行で合議体は何も決めていません。',
    same: '結果はどれも変わりません。',
  },
  policy: {
    verdicts: {approve: '承認', refuse: '拒否', cannot_judge: '判定不能'},
    lines: {
      reads: '読む',
      writes: '書く',
      runs: '動かす',
      reaches: '届く先',
      grade: '隔離',
      why: '理由',
    },
    none: '語からわかるものはなし',
    grade: (by, undoable) =>
      by === 'none'
        ? 'なし: ここではコマンドは隔離されません'
        : `${by}。変更は${undoable ? '元に戻せます' : 'すべては元に戻せません'}`,
    approved: {
      reads: '読むだけか、普通の検査です。',
      contained: '隔離されて動き、変更は元に戻せます。',
    },
    people: '規則では決まりません: 投票するモデルか人が決めます。',
    more: (count) => `、ほか ${count} 件`,
    workspace: 'ワークスペース',
    wide: (name) => `${name}（複数のファイル）`,
  },
  cost: {titles: ['', '呼出', '入力トークン', '出力', '費用', '依頼'], total: '合計'},
  undo: {
    done: {restored: '復元', removed: '削除', asBefore: '元のまま', left: '残す'},
    toDo: {
      restored: '復元する予定',
      removed: '削除する予定',
      asBefore: '元のまま',
      left: '残す予定',
    },
    inFolder: (folder) => `フォルダ ${folder}`,
    nothing: '  書いたファイルはありません',
    commands: (count, id) =>
      `${count} 個のコマンドがこれらのファイルのほかに行ったことは元に戻りません。quorate show ${id} で確かめてください`,
    open: (id) =>
      `実行は未完了です。quorate cancel ${id} で取り消し、quorate resume ${id} で続きます`,
  },
  show: {
    opened: (ago, entries) => `開始 ${ago} · 記録 ${entries} 件`,
    request: '依頼',
    settings: '変更された設定',
    suspended: '中断と再開',
    interactions: '下位の対話',
    drafts: '計画案',
    written: '書いたファイル',
    plan: '計画',
    steps: '手順',
    answers: '回答',
    votes: '投票',
    ballots: '進行中の回の票',
    inFlight: '再開時に進行中のもの',
    lastEntry: (state, ago) => `${state}: 最後の記録は ${ago}`,
    cost: (cost) => `これまでの費用: ${cost}`,
    phase: (phase) => `段階: ${phase}`,
    continue: (id) => `続けるには: quorate resume ${id}`,
    end: (id) => `取り消すには: quorate cancel ${id}`,
    waiting: (kind) => `人の判断を待っています: ${kind}`,
  },
};

export const tableTexts = inLanguages({en, ja});
