/** When a panel has decided, by each rule. Each line: the English text, its Japanese. */

export const rules = `
more than half of the seats approve = 席の過半数が承認
all seats approve = すべての席が承認
N seats or more approve = N 席以上が承認
N percent of the seats or more approve = N パーセント以上の席が承認`;
