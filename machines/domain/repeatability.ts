/**
 * Whether an effect whose outcome is unknown may be performed again: `repeatable` yes; `checkable` after a look
 * whether it has happened; `once` never without a person's word.
 */
export type Repeatability = 'repeatable' | 'checkable' | 'once';
