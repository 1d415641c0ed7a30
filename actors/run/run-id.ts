import {customAlphabet} from 'nanoid/non-secure';

/**
 * The id of another run. No secret: it only has to be another one each time. Node's cryptography would take a twentieth
 * of a start to load.
 */
export const createId = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', 12);
