/** A value while an expression is worked out. */
export type JinjaValue =
  | string
  | number
  | boolean
  | null
  | readonly JinjaValue[]
  | { readonly [key: string]: JinjaValue }

/**
 * The values that expressions may use. A part that is undefined is not known, and what depends on it is not
 * either.
 */
export interface RenderContext {
  /** For `env_var`. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
  /** For `var`: those that the project sets, or the command line. */
  readonly vars?: Readonly<Record<string, JinjaValue>> | undefined
  /** For `target.schema` and the like. */
  readonly target?: Readonly<Record<string, JinjaValue>> | undefined
}

/** Ends the rendering of a text that says more than is known here. Its message holds names, never values. */
export class Unrenderable extends Error {
  /** The variable of the environment that is not set, if that is what is missing. */
  readonly variable: string | undefined

  constructor(reason: string, variable?: string) {
    super(reason)
    this.name = 'Unrenderable'
    this.variable = variable
  }
}

/** Prints a value as Jinja does. */
export function printJinja(value: JinjaValue): string {
  if (typeof value === 'string') return value
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Returns true if Jinja takes a value for true. */
export function isTruthy(value: JinjaValue): boolean {
  if (Array.isArray(value)) return value.length > 0
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value)
}
