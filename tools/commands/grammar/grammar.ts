/** The syntax tree of a shell text, as POSIX defines it and as dash, bash and busybox read it alike. */

/** A part of a word. `written`: its source text. `quoted`: it is neither split into words nor a pattern. */
export type Part =
  | {readonly kind: 'text'; readonly text: string; readonly quoted: boolean}
  | {
      readonly kind: 'parameter';
      readonly name: string;
      readonly quoted: boolean;
      readonly written: string;
      /** `${#name}`. */
      readonly isLength?: true;
      readonly operator?: string;
      readonly operand?: RawWord;
    }
  | {
      readonly kind: 'command';
      readonly script: Script;
      readonly quoted: boolean;
      readonly written: string;
    }
  | {
      readonly kind: 'arithmetic';
      readonly expression: string;
      readonly quoted: boolean;
      readonly written: string;
    }
  /** `{a,b}`: several words to some shells, text to others. */
  | {readonly kind: 'braces'; readonly options: readonly string[]; readonly written: string}
  /** `<(…)`: a file to some shells, an error to others. */
  | {readonly kind: 'process'; readonly script: Script; readonly written: string}
  | {readonly kind: 'opaque'; readonly why: string; readonly written: string};

/** A word as written, before anything is resolved. */
export interface RawWord {
  readonly parts: readonly Part[];
  readonly written: string;
}

export interface RawAssignment {
  readonly name: string;
  readonly value: RawWord;
}

export interface RawRedirect {
  /** `here`: the target is the text itself. */
  readonly operator: '>' | '>>' | '<' | '<>' | '>|' | '>&' | '<&' | '&>' | '&>>' | 'here';
  readonly target: RawWord;
  /** 0: standard input. */
  readonly descriptor: number;
}

export interface Simple {
  readonly kind: 'simple';
  readonly assignments: readonly RawAssignment[];
  readonly words: readonly RawWord[];
  readonly redirects: readonly RawRedirect[];
  readonly text: string;
}

export type Node =
  | Simple
  | {readonly kind: 'pipe'; readonly nodes: readonly Node[]; readonly isNegated: boolean}
  | {
      readonly kind: 'chain';
      readonly first: Node;
      readonly rest: readonly {readonly operator: '&&' | '||'; readonly node: Node}[];
    }
  | {
      readonly kind: 'if';
      readonly branches: readonly {readonly test: Script; readonly body: Script}[];
      readonly otherwise: Script | undefined;
    }
  | {
      readonly kind: 'for';
      readonly name: string;
      readonly words: readonly RawWord[] | undefined;
      readonly body: Script;
    }
  | {
      readonly kind: 'while';
      readonly isUntil: boolean;
      readonly test: Script;
      readonly body: Script;
    }
  | {
      readonly kind: 'case';
      readonly word: RawWord;
      readonly items: readonly {readonly patterns: readonly RawWord[]; readonly body: Script}[];
    }
  | {readonly kind: 'subshell'; readonly body: Script}
  | {readonly kind: 'group'; readonly body: Script}
  | {
      readonly kind: 'redirected';
      readonly node: Node;
      readonly redirects: readonly RawRedirect[];
      readonly text: string;
    }
  | {readonly kind: 'function'; readonly name: string; readonly body: Node}
  /** Shells read this differently: each reading is followed. */
  | {readonly kind: 'either'; readonly nodes: readonly Node[]}
  | {readonly kind: 'opaque'; readonly word: string; readonly why: string};

export type Script = readonly {readonly node: Node; readonly isBackground: boolean}[];
