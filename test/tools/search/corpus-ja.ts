/** Short Japanese documents that are easily confused with one another. */

import {officeDocuments} from './corpus-office.ts';
import {type CorpusDocument, shopDocuments} from './corpus-shop.ts';

export const japaneseCorpus: readonly CorpusDocument[] = [...shopDocuments, ...officeDocuments];
