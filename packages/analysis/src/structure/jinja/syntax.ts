/** An expression of Jinja. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'dict'; readonly entries: readonly (readonly [Expression, Expression])[] }
  | { readonly kind: 'member'; readonly object: Expression; readonly key: Expression }
  | {
      readonly kind: 'slice'
      readonly object: Expression
      readonly start: Expression | undefined
      readonly stop: Expression | undefined
    }
  | ({ readonly kind: 'call'; readonly callee: Expression } & Arguments)
  | ({ readonly kind: 'filter'; readonly input: Expression; readonly name: string } & Arguments)
  | ({ readonly kind: 'test'; readonly input: Expression; readonly name: string } & Arguments)
  | { readonly kind: 'unary'; readonly operator: 'not' | '-' | '+'; readonly value: Expression }
  | {
      readonly kind: 'binary'
      readonly operator: BinaryOperator
      readonly left: Expression
      readonly right: Expression
    }
  | {
      readonly kind: 'choice'
      readonly condition: Expression
      readonly chosen: Expression
      readonly otherwise: Expression | undefined
    }

export interface Arguments {
  readonly positional: readonly Expression[]
  readonly named: readonly (readonly [name: string, value: Expression])[]
}

/** Operators by precedence, lowest first. */
export const BINARY_LEVELS = [
  ['or'],
  ['and'],
  ['==', '!=', '<=', '>=', '<', '>', 'in', 'not in'],
  ['+', '-'],
  ['~'],
  ['*', '//', '/', '%'],
  ['**'],
] as const
export type BinaryOperator = (typeof BINARY_LEVELS)[number][number]

/** A parameter of a macro. */
export interface Parameter {
  readonly name: string
  readonly value: Expression | undefined
}

/** A piece of a template. Offsets are those of the text. */
export type Node =
  | { readonly kind: 'text'; readonly text: string; readonly start: number }
  | {
      readonly kind: 'print'
      readonly expression: Expression
      readonly start: number
      readonly end: number
    }
  | { readonly kind: 'if'; readonly branches: readonly Branch[] }
  | {
      readonly kind: 'for'
      readonly names: readonly string[]
      readonly items: Expression
      readonly body: readonly Node[]
      readonly otherwise: readonly Node[]
    }
  | { readonly kind: 'set'; readonly targets: readonly Expression[]; readonly value: Expression }
  | { readonly kind: 'capture'; readonly name: string; readonly body: readonly Node[] }
  | { readonly kind: 'do'; readonly expression: Expression }
  | MacroNode
  | {
      readonly kind: 'call'
      readonly expression: Expression
      readonly parameters: readonly Parameter[]
      readonly body: readonly Node[]
      readonly start: number
      readonly end: number
    }
  | { readonly kind: 'filter'; readonly expression: Expression; readonly body: readonly Node[] }
  /** The body of a snapshot: `{% snapshot orders_snapshot %}`. */
  | { readonly kind: 'body'; readonly name: string; readonly body: readonly Node[] }

export interface Branch {
  /** Undefined for `else`. */
  readonly condition: Expression | undefined
  readonly body: readonly Node[]
}

export interface MacroNode {
  readonly kind: 'macro'
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly body: readonly Node[]
}

/** The error of an unreadable template. */
export class TemplateFault extends Error {
  /** The offset in the text. */
  readonly offset: number
  /** True if Jinja itself refuses it too. */
  readonly isBroken: boolean

  constructor(reason: string, { isBroken, offset }: { readonly isBroken: boolean; readonly offset: number }) {
    super(reason)
    this.name = 'TemplateFault'
    this.offset = offset
    this.isBroken = isBroken
  }
}
