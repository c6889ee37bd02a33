import { parseDocument } from 'yaml'

/**
 * Compares a printed property file with the plan. A template may add to it; omissions and changes are faults.
 *
 * @returns The fault, or undefined.
 */
export function compareYaml(text: string, planned: unknown): string | undefined {
  const document = parseDocument(text)
  const [error] = document.errors
  if (error) return `it is not valid YAML: ${error.message.split('\n')[0]?.replace(/:$/, '') ?? ''}`
  return difference(document.toJS(), planned, '')
}

function difference(printed: unknown, planned: unknown, path: string): string | undefined {
  if (Array.isArray(planned)) {
    if (!Array.isArray(printed) || printed.length !== planned.length) {
      return `${path || 'the file'} should have ${planned.length} entries, but has ${Array.isArray(printed) ? printed.length : 'none'}`
    }
    return first(planned.map((item, index) => [printed[index], item, `${path}[${index}]`]))
  }
  if (typeof planned === 'object' && planned !== null) {
    return first(
      Object.entries(planned).map(([key, value]) => [
        memberOf(printed, key),
        value,
        path === '' ? key : `${path}.${key}`,
      ]),
    )
  }
  return Object.is(printed, planned)
    ? undefined
    : `${path} should be ${show(planned)}, but is ${show(printed)}`
}

function first(
  pairs: readonly (readonly [printed: unknown, planned: unknown, path: string])[],
): string | undefined {
  for (const [printed, planned, path] of pairs) {
    const found = difference(printed, planned, path)
    if (found !== undefined) return found
  }
  return undefined
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

function show(value: unknown): string {
  return value === undefined ? 'missing' : JSON.stringify(value)
}
