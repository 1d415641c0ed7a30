/**
 * The process of one query. It reads an order from its standard input, prints a line when it starts, then the reply
 * as JSON, and ends. A running query cannot be interrupted; a process can be killed.
 */

import {readFileSync, writeFileSync} from 'node:fs';

import {type Order, perform} from './perform.ts';

const standardInput = 0;
const standardOutput = 1;

const order: Order = JSON.parse(readFileSync(standardInput, 'utf8'));
writeFileSync(standardOutput, 'begun\n');
writeFileSync(standardOutput, JSON.stringify(perform(order)));
