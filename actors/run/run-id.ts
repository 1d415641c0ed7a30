import {customAlphabet} from 'nanoid/non-secure';

/**
 * Creates the id of a run. It need not be secret, only unique: Node's cryptography would take a twentieth of a start to load.
 */
export const createId = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', 12);
