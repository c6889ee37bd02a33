import { type Fault, StagecraftError } from '@stagecraft/spec'

export type PathParams = Readonly<Record<string, string | undefined>>

/** Returns the names in braces of a path, in order. */
export function namesInPath(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\*?\}/g)].map(([, name = '']) => name)
}

/**
 * Puts parameters into a path.
 *
 * @example fillPath('/v1/units/{unitId}', { unitId: 'unit_1' }) // '/v1/units/unit_1'
 * @throws {StagecraftError} INVALID_REQUEST for a parameter that would lead to another path.
 */
export function fillPath(path: string, params: PathParams): string {
  const faults: Fault[] = []
  const filled = path.replaceAll(/\{(\w+)(\*?)\}/g, (_, name: string, rest: string) => {
    const value: unknown = params[name]
    const segments = typeof value !== 'string' ? [] : rest === '' ? [value] : value.split('/')
    if (segments.length > 0 && segments.every(isSegment)) return segments.map(encodeURIComponent).join('/')
    faults.push({ path: name, expected: expectation(rest), received: JSON.stringify(value) ?? 'nothing' })
    return ''
  })
  if (faults.length > 0) throw StagecraftError.invalid(faults)
  return filled
}

/**
 * Returns true for text that a URL keeps as one segment. URLs drop `.` and `..`, encoded or not, and cannot
 * hold half a surrogate pair.
 */
function isSegment(text: string): boolean {
  return text !== '' && text !== '.' && text !== '..' && text.isWellFormed()
}

function expectation(rest: string): string {
  return rest === '' ? 'text that is not empty, . or ..' : 'a relative path without empty parts, . and ..'
}
