/**
 * How an effect with an unknown outcome may be performed again: `repeatable` at once; `checkable` after a check
 * whether it happened; `once` only after a person's decision.
 */
export type Repeatability = 'repeatable' | 'checkable' | 'once';
