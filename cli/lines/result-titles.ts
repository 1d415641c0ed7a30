/** The titles in the text of a result, in the language of the request. */

import type {Language} from '../../machines/domain/language.ts';
import {othersTitle} from './decisions.ts';

const english = {
  answer: 'Answer',
  changes: 'Changes',
  tasks: 'Tasks',
  interactions: 'Interactions',
  denied: 'Denied',
  votes: 'Votes',
  sources: 'Sources',
  conclusion: 'Conclusion',
  keyPoints: 'Key points',
  agreements: 'Agreements',
  disagreements: 'Disagreements',
  ranking: 'Ranking',
  degraded: 'Degraded',
  notes: 'Notes',
  others: othersTitle,
  inDoubt: 'Nobody knows whether this happened',
  unread: 'Said after its last turn, and heard by nobody',
  removed: 'Claims that the record contradicts were removed from the answer.',
};

type Titles = Readonly<typeof english>;

const japanese: Titles = {
  answer: '回答',
  changes: '変更',
  tasks: 'タスク',
  interactions: '下位の対話',
  denied: '却下された呼び出し',
  votes: '投票',
  sources: '出典',
  conclusion: '結論',
  keyPoints: '要点',
  agreements: '一致点',
  disagreements: '相違点',
  ranking: '順位',
  degraded: '制約のある結論',
  notes: '注記',
  others: 'パネル以外による決定',
  inDoubt: '実行されたかどうか不明',
  unread: '最後のターンの後に届き、読まれていない発言',
  removed: '記録と矛盾する主張を回答から削除しました。',
};

export function titlesIn(language: Language = 'en'): Titles {
  return language === 'ja' ? japanese : english;
}
