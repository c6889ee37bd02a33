import { StagecraftError } from '../errors.ts'
import { type Issue, type LocatedFault, toFaults } from './faults.ts'

/** The part of a schema that validation uses. */
export interface Schema<Value> {
  safeParse(
    input: unknown,
  ): { success: true; data: Value } | { success: false; error: { readonly issues: readonly unknown[] } }
}

/** The value of the input, or all its faults. */
export type Checked<Value> = { readonly value: Value } | { readonly faults: readonly LocatedFault[] }

export function check<Value>(schema: Schema<Value>, input: unknown): Checked<Value> {
  const result = schema.safeParse(input)
  if (result.success) return { value: result.data }
  const issues = result.error.issues as readonly Issue[]
  return { faults: toFaults(issues, input, (path) => knownKeys(schema, path)) }
}

/**
 * Returns the value of the input.
 *
 * @throws {StagecraftError} INVALID_REQUEST that lists every fault.
 */
export function validate<Value>(schema: Schema<Value>, input: unknown, subject: string): Value {
  const checked = check(schema, input)
  if ('value' in checked) return checked.value
  throw StagecraftError.invalid(
    checked.faults.map(({ segments: _, ...fault }) => fault),
    { subject },
  )
}

interface SchemaNode {
  readonly shape?: Readonly<Record<string, SchemaNode>>
  readonly def?: {
    readonly innerType?: SchemaNode
    readonly element?: SchemaNode
    readonly valueType?: SchemaNode
  }
}

/** Returns the keys that an object schema allows at a path; empty if they are unknown. */
function knownKeys(schema: unknown, path: readonly PropertyKey[]): readonly string[] {
  const node = path.reduce<SchemaNode | undefined>((at, key) => step(at, key), schema as SchemaNode)
  return Object.keys(unwrap(node)?.shape ?? {})
}

function step(node: SchemaNode | undefined, key: PropertyKey): SchemaNode | undefined {
  const bare = unwrap(node)
  return bare?.shape?.[String(key)] ?? bare?.def?.element ?? bare?.def?.valueType
}

/** Removes wrappers such as `optional` and `readonly`. */
function unwrap(node: SchemaNode | undefined): SchemaNode | undefined {
  return node?.def?.innerType ? unwrap(node.def.innerType) : node
}
