import type { Operation } from '@stagecraft/spec/api'

type Schema = NonNullable<Operation['data']>
type Issue = NonNullable<ReturnType<Schema['safeParse']>['error']>['issues'][number]

/**
 * Returns the dotted path of the first place where data does not match its schema, or undefined. Accepts unknown
 * members and values of enumerations, because a newer service may add them.
 */
export function findFault(data: unknown, schema: Schema): string | undefined {
  return schema
    .safeParse(data)
    .error?.issues.find((issue) => !isNewer(issue, data))
    ?.path.join('.')
}

function isNewer(issue: Issue, data: unknown): boolean {
  const { code, path } = issue
  if (code === 'invalid_value')
    return [...issue.values, valueAt(data, path)].every((value) => typeof value === 'string')
  if (code === 'invalid_union') {
    const value = valueAt(data, path)
    return issue.errors.some((issues) => issues.every((inner) => isNewer(inner, value)))
  }
  return code === 'unrecognized_keys'
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown>)[key], data)
}
