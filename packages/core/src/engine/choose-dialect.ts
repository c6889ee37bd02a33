import { DIALECTS } from '@stagecraft/dialects'
import { type Catalog, type Config, type DialectName, StagecraftError } from '@stagecraft/spec'

interface Choices {
  readonly dialect?: DialectName | undefined
  readonly config?: Config | undefined
}

/**
 * The dialect that somebody named: the caller, the configuration, else the catalog.
 *
 * @throws {StagecraftError} INVALID_REQUEST when nobody did.
 */
export function chooseDialect({ config, dialect }: Choices, catalog?: Catalog): DialectName {
  const chosen = dialect ?? config?.dialect ?? catalog?.dialect
  if (chosen !== undefined) return chosen
  const expected = `one of ${Object.keys(DIALECTS).join(', ')}`
  throw StagecraftError.invalid(
    { path: 'dialect', expected, received: 'nothing' },
    { suggestion: 'name the warehouse that dbt runs on' },
  )
}
