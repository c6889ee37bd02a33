import { locateCatalog } from '@stagecraft/catalogs'
import { type Config, StagecraftError } from '@stagecraft/spec'
import { type CatalogOfProfile, catalogOfProfile, type ProfileChoiceFlags } from './catalog-of-profile.ts'
import { assertOwnServer } from './own-server.ts'

export interface CatalogChoiceFlags extends ProfileChoiceFlags {
  readonly catalog?: string
  /** The folder that files are written to; the dbt project around it is the one whose profile is read. */
  readonly out?: string
}

/**
 * Chooses the catalog: that of the flags, of a dbt profile that the flags name, of the configuration, or else of the profile
 * of the dbt project around.
 *
 * @returns Where to find it; what is built there is known of a profile alone.
 * @throws {StagecraftError} INVALID_REQUEST when there is none, or two of them.
 */
export async function chooseCatalog(flags: CatalogChoiceFlags, config: Config): Promise<CatalogOfProfile> {
  const named = (['dbtProfile', 'target', 'profilesDir'] as const).find((name) => flags[name] !== undefined)
  if (flags.catalog !== undefined && named !== undefined)
    throw StagecraftError.invalid({
      path: 'catalog',
      expected: `--catalog or ${FLAGS[named]}`,
      received: 'both',
    })
  if (flags.catalog !== undefined) return given(flags.catalog, { isFlag: true })
  if (named === undefined && config.catalog !== undefined) return given(config.catalog, { isFlag: false })
  const found = await catalogOfProfile(flags, flags.out)
  if (found) return found
  const expected =
    'a catalog: --catalog <string>, catalog: in stagecraft.yml, or a dbt project with a profiles.yml'
  throw new StagecraftError('INVALID_REQUEST', `expected ${expected}, got none of them`, {
    details: { faults: [{ path: 'catalog', expected, received: 'nothing' }] },
  })
}

const FLAGS = { dbtProfile: '--dbt-profile', target: '--target', profilesDir: '--profiles-dir' } as const

function given(text: string, options: { readonly isFlag: boolean }): CatalogOfProfile {
  return { addresses: [readCatalog(text, options)], targetSchema: undefined }
}

/** A catalog in the configuration may be a secret of the environment: `env:WAREHOUSE_URL`. */
function readCatalog(text: string, { isFlag }: { readonly isFlag: boolean }): string {
  const variable = /^env:(\w+)$/.exec(text)?.[1]
  if (variable === undefined) {
    if (!isFlag) assertOwnServer(text, process.env)
    return text
  }
  const value = process.env[variable]
  if (value) {
    assertAddress(value, variable)
    return value
  }
  throw new StagecraftError(
    'INVALID_REQUEST',
    `catalog: expected a catalog in the variable ${variable}, which is not set`,
    {
      details: {
        faults: [{ path: 'catalog', expected: `the environment variable ${variable}`, received: 'nothing' }],
      },
    },
  )
}

/** @throws {StagecraftError} INVALID_REQUEST that names the variable: what it holds may be a secret, and is not repeated. */
function assertAddress(value: string, variable: string): void {
  try {
    locateCatalog(value)
  } catch (error) {
    const told = error instanceof StagecraftError ? error.details?.faults?.[0]?.received : undefined
    if (told !== undefined && !told.startsWith('"')) throw error // repeats nothing, and knows more
    const expected = 'an address such as postgres://…, or a path such as columns.yml'
    const received = 'another text'
    throw new StagecraftError(
      'INVALID_REQUEST',
      `catalog: expected in the variable ${variable} ${expected}, got ${received}`,
      { details: { faults: [{ path: 'catalog', expected, received }] } },
    )
  }
}
