/** A value during evaluation. */
export type JinjaValue =
  | string
  | number
  | boolean
  | null
  | readonly JinjaValue[]
  | { readonly [key: string]: JinjaValue }

/** The values that expressions may use. An undefined part is unknown, and so is everything that depends on it. */
export interface RenderContext {
  /** For `env_var`. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
  /** Returns true for environment variables that the text must not read. Default: it may read all. */
  readonly isWithheld?: ((variable: string) => boolean) | undefined
  /** For `var`: variables of the project or the command line. */
  readonly vars?: Readonly<Record<string, JinjaValue>> | undefined
  /** For `target.schema` and the like. */
  readonly target?: Readonly<Record<string, JinjaValue>> | undefined
}

/** The error of a text that cannot be rendered with the known values. Its message has names, but never values. */
export class Unrenderable extends Error {
  /** The missing environment variable, if that is the reason. */
  readonly variable: string | undefined
  /** True if the variable exists but is withheld from the text. */
  readonly isWithheld: boolean

  constructor(reason: string, variable?: string, isWithheld = false) {
    super(reason)
    this.name = 'Unrenderable'
    this.variable = variable
    this.isWithheld = isWithheld
  }
}

/** Prints a value as Jinja does. */
export function printJinja(value: JinjaValue): string {
  if (typeof value === 'string') return value
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Returns true if Jinja considers a value true. */
export function isTruthy(value: JinjaValue): boolean {
  if (Array.isArray(value)) return value.length > 0
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value)
}
