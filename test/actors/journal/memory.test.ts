/** The journal in memory. */

import {createMemoryJournal} from '../../../actors/journal/memory.ts';
import {describeJournal} from './conformance.ts';

describeJournal('the memory journal', createMemoryJournal);
