import type { Fault } from '@stagecraft/spec'
import { check } from '@stagecraft/spec/validate'
import { z } from 'zod'
import type { Read } from './read.ts'

const NOTHING = z.strictObject({})

/** The part of an address behind `?`; names that come twice are refused, and so are those that are not known. */
export function readQuery(query: unknown, schema: z.ZodType = NOTHING): Read {
  const values: Record<string, unknown> = {}
  const faults: Fault[] = []
  for (const [name, value] of Object.entries(query ?? {}) as [string, string | readonly string[]][]) {
    const refused = refusal(value)
    if (refused) faults.push({ path: `query.${name}`, ...refused })
    else values[name] = value
  }
  const checked = check(schema, values)
  if ('value' in checked) return { value: checked.value, faults }
  return {
    value: undefined,
    faults: [
      ...faults,
      ...checked.faults.map(({ expected, path, received }) => ({
        path: path === '' ? 'query' : `query.${path}`,
        expected,
        received,
      })),
    ],
  }
}

function refusal(value: string | readonly string[]): Omit<Fault, 'path'> | undefined {
  if (typeof value !== 'string') return { expected: 'one value', received: `${value.length} values` }
  if (!value.includes('\0')) return undefined
  return { expected: 'text without U+0000', received: 'a text with it' }
}
