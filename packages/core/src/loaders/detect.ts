import { StagecraftError } from '@stagecraft/spec'
import { LOADERS } from './index.ts'
import type { LoaderPack } from './loader.ts'

/**
 * Returns the pack of the tool that loads a table.
 *
 * @param choice `auto` recognizes the tool by the columns, and `none` returns undefined. Anything else is the name of
 * a pack; the columns decide between its variants (history mode).
 * @throws {StagecraftError} INVALID_REQUEST if there is no pack with that name.
 */
export function findLoader(columns: readonly string[], choice: string): LoaderPack | undefined {
  if (choice === 'none') return undefined
  const present = columnsOf(columns)
  if (choice === 'auto') return LOADERS.find((pack) => isSigned(pack, present))
  const named = LOADERS.filter((pack) => pack.name === choice || pack.name.startsWith(`${choice}-`))
  const pack =
    named.find((variant) => isSigned(variant, present)) ?? named.find(({ name }) => name === choice)
  if (!pack) throw unknownLoader(choice)
  return pack
}

/** The names of a table's columns, in lower case. */
interface PresentColumns {
  readonly all: ReadonlySet<string>
  /** The names that match the pattern of some pack; most tables have none. */
  readonly fitting: readonly string[]
}

const ANY_PATTERN = new RegExp(
  LOADERS.flatMap(({ signs }) => signs.any ?? [])
    .filter((sign) => sign instanceof RegExp)
    .map(({ source }) => source)
    .join('|'),
)

function columnsOf(names: readonly string[]): PresentColumns {
  const lower = names.map((name) => name.toLowerCase())
  return { all: new Set(lower), fitting: lower.filter((name) => ANY_PATTERN.test(name)) }
}

function isSigned({ signs }: LoaderPack, { all, fitting }: PresentColumns): boolean {
  const hasAll = signs.all?.every((name) => all.has(name)) ?? true
  if (!hasAll || !signs.any) return hasAll
  return signs.any.some((sign) =>
    typeof sign === 'string' ? all.has(sign) : fitting.some((name) => sign.test(name)),
  )
}

function unknownLoader(choice: string): StagecraftError {
  const expected = ['auto', 'none', ...LOADERS.map((pack) => pack.name)].join(', ')
  return new StagecraftError(
    'INVALID_REQUEST',
    `options.loader: expected one of ${expected}; got "${choice}"`,
    {
      details: {
        faults: [{ path: 'options.loader', expected: `one of ${expected}`, received: `"${choice}"` }],
      },
    },
  )
}

/** Returns true if the loader wrote the column, not the source system. */
export function isLoaderColumn(name: string, pack: LoaderPack | undefined): boolean {
  if (!pack) return false
  const lower = name.toLowerCase()
  return (
    Object.hasOwn(pack.columns, lower) || (pack.patterns?.some((pattern) => pattern.test(lower)) ?? false)
  )
}

/** Returns true if the table is an internal table of a loader. */
export function isSystemTable(name: string): boolean {
  const lower = name.toLowerCase()
  return LOADERS.some((pack) => pack.systemTables?.test(lower))
}
