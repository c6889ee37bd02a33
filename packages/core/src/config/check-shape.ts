import { DIALECTS, type Dialect } from '@stagecraft/dialects'
import { type Fault, StagecraftError } from '@stagecraft/spec'

type Members = Readonly<Record<string, unknown>>

/** The methods that objects of the caller must have, by the option that they are given in. */
const METHODS: Readonly<Record<string, readonly string[]>> = {
  catalog: ['tables', 'describe', 'close'],
  clock: ['now'],
  ids: ['next'],
  templates: ['render'],
  'llm.backend': ['complete'],
}

/** Options that are objects, whatever their members. */
const OBJECTS = ['config', 'project', 'defaults', 'llm'] as const

/**
 * Checks the options of a caller without types: a missing method or member is named before anything calls it.
 *
 * @throws {StagecraftError} INVALID_REQUEST with all faults.
 */
export function checkOptions(options: unknown, subject: string, required: readonly string[] = []): void {
  if (!isObject(options))
    throw StagecraftError.invalid({
      path: subject,
      expected: 'an object of options',
      received: describe(options),
    })
  const objects = OBJECTS.filter((name) => options[name] !== undefined && !isObject(options[name]))
  const faults = objects.map((name) => fault(name, 'an object', options[name]))
  const methods = Object.entries(METHODS).flatMap(([path, names]) => {
    const value = valueAt(options, path.split('.'))
    const isGiven =
      value !== undefined || required.includes(path) || (path === 'llm.backend' && isObject(options['llm']))
    return isGiven ? methodFaults(path, value, names) : []
  })
  const all = [...faults, ...methods]
  if (all.length > 0) throw StagecraftError.invalid(all)
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  const [first, ...rest] = path
  if (first === undefined) return value
  return isObject(value) ? valueAt(value[first], rest) : undefined
}

function methodFaults(path: string, value: unknown, names: readonly string[]): readonly Fault[] {
  if (!isObject(value)) return [fault(path, `an object with ${names.join(', ')}`, value)]
  const missing = names.filter((name) => typeof value[name] !== 'function')
  return missing.map((name) => fault(`${path}.${name}`, 'a function', value[name]))
}

/** The most members of a dialect that one error names. */
const MOST = 10

/**
 * Checks a caller's own dialect against the members that every dialect has.
 *
 * @throws {StagecraftError} INVALID_REQUEST that names the first missing members.
 */
export function checkDialect(dialect: unknown): asserts dialect is Dialect {
  const models: readonly unknown[] = Object.values(DIALECTS)
  if (models.includes(dialect)) return
  const faults = memberFaults('dialect', dialect, models)
  if (faults.length > 0)
    throw StagecraftError.invalid(faults.slice(0, MOST), {
      suggestion: 'copy a dialect of DIALECTS and change what differs, or give its name',
    })
}

/** Compares a value with those that all dialects have in its place. */
function memberFaults(path: string, value: unknown, models: readonly unknown[]): readonly Fault[] {
  const [model] = models
  const isShared = models.every(
    (one) => typeof one === typeof model && one !== null && Array.isArray(one) === Array.isArray(model),
  )
  if (!isShared || model === undefined) return []
  if (Array.isArray(model)) return Array.isArray(value) ? [] : [fault(path, 'a list', value)]
  if (!isObject(model)) return typeof value === typeof model ? [] : [fault(path, `a ${typeof model}`, value)]
  if (!isObject(value)) return [fault(path, 'an object', value)]
  const names = Object.keys(model).filter((name) => models.every((one) => isObject(one) && name in one))
  return names.flatMap((name) =>
    memberFaults(
      `${path}.${name}`,
      value[name],
      models.map((one) => (isObject(one) ? one[name] : undefined)),
    ),
  )
}

function fault(path: string, expected: string, received: unknown): Fault {
  return { path, expected, received: describe(received) }
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' || typeof value === 'function'
    ? `a value of type ${typeof value}`
    : JSON.stringify(value)
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
