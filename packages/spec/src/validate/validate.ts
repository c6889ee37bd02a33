import { StagecraftError } from '../errors.ts'
import { type Issue, type LocatedFault, toFaults } from './faults.ts'

/** A schema of the spec, as far as validation needs it. */
export interface Schema<Value> {
  safeParse(
    input: unknown,
  ): { success: true; data: Value } | { success: false; error: { readonly issues: readonly unknown[] } }
}

/** Every fault of the input, or its value. */
export type Checked<Value> = { readonly value: Value } | { readonly faults: readonly LocatedFault[] }

export function check<Value>(schema: Schema<Value>, input: unknown): Checked<Value> {
  const result = schema.safeParse(input)
  if (result.success) return { value: result.data }
  const issues = result.error.issues as readonly Issue[]
  return { faults: toFaults(issues, input, (path) => knownKeys(schema, path)) }
}

/**
 * The value of the input when the schema accepts it.
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

/** The keys that an object schema allows at a path; empty when the schema does not say. */
function knownKeys(schema: unknown, path: readonly PropertyKey[]): readonly string[] {
  const node = path.reduce<SchemaNode | undefined>((at, key) => step(at, key), schema as SchemaNode)
  return Object.keys(unwrap(node)?.shape ?? {})
}

function step(node: SchemaNode | undefined, key: PropertyKey): SchemaNode | undefined {
  const bare = unwrap(node)
  return bare?.shape?.[String(key)] ?? bare?.def?.element ?? bare?.def?.valueType
}

/** Without `optional`, `readonly` and the like around it. */
function unwrap(node: SchemaNode | undefined): SchemaNode | undefined {
  return node?.def?.innerType ? unwrap(node.def.innerType) : node
}
