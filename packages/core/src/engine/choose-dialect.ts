import { type Dialect, DIALECTS } from '@stagecraft/dialects'
import { type Catalog, type Config, type DialectName, StagecraftError } from '@stagecraft/spec'

interface Choices<Named> {
  readonly dialect?: Named | undefined
  readonly config?: Config | undefined
}

/**
 * Returns the dialect that somebody named: the caller, the configuration, else the catalog.
 *
 * @throws {StagecraftError} INVALID_REQUEST when nobody did, or the name is unknown.
 */
export function chooseDialect({ config, dialect }: Choices<DialectName>, catalog?: Catalog): DialectName {
  const chosen = dialect ?? config?.dialect ?? catalog?.dialect
  if (chosen !== undefined && Object.hasOwn(DIALECTS, chosen)) return chosen
  const expected = `one of ${Object.keys(DIALECTS).join(', ')}`
  const received = chosen === undefined ? 'nothing' : JSON.stringify(chosen)
  throw StagecraftError.invalid(
    { path: 'dialect', expected, received },
    { suggestion: 'name the warehouse that dbt runs on' },
  )
}

/**
 * Returns the dialect as an object: the caller's own, or the one that somebody named.
 *
 * @throws {StagecraftError} INVALID_REQUEST when nobody did, or the name is unknown.
 */
export function resolveDialect(
  { config, dialect }: Choices<DialectName | Dialect>,
  catalog?: Catalog,
): Dialect {
  return typeof dialect === 'object' ? dialect : DIALECTS[chooseDialect({ config, dialect }, catalog)]
}
