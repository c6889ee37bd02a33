import { locateCatalog, nameFolder } from '@stagecraft/catalogs'
import { type Config, StagecraftError } from '@stagecraft/spec'
import { type CatalogOfProfile, catalogOfProfile, type ProfileChoiceFlags } from './catalog-of-profile.ts'
import { assertOwnServer, assertVendorHosts } from './own-server.ts'

export interface CatalogChoiceFlags extends ProfileChoiceFlags {
  readonly catalog?: string
  /** A folder of the dbt project whose profile is used. @default the current one */
  readonly projectDir?: string
}

/**
 * Chooses the catalog from the flags, from a dbt profile that the flags name, from the configuration, or from the
 * profile of the surrounding dbt project.
 *
 * @returns The place of the catalog. Only a profile tells where dbt builds.
 * @throws {StagecraftError} INVALID_REQUEST if there is none, or if there are two.
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
  const found = await catalogOfProfile(flags, flags.projectDir)
  if (!('missing' in found)) return found
  if (named !== undefined)
    throw StagecraftError.invalid({
      path: FLAGS[named],
      expected: 'a dbt project with a profile',
      received: `none: ${found.missing}`,
    })
  throw StagecraftError.invalid(
    { path: 'catalog', expected: '--catalog, or catalog: in stagecraft.yml', received: 'neither' },
    { suggestion: `a dbt project with a profile would do too, but ${found.missing}` },
  )
}

const FLAGS = { dbtProfile: '--dbt-profile', target: '--target', profilesDir: '--profiles-dir' } as const

async function given(text: string, options: { readonly isFlag: boolean }): Promise<CatalogOfProfile> {
  return { addresses: [await nameFolder(readCatalog(text, options))], targetSchema: undefined }
}

/** Resolves a catalog of the configuration, which may be in an environment variable: `env:WAREHOUSE_URL`. */
function readCatalog(text: string, { isFlag }: { readonly isFlag: boolean }): string {
  const variable = /^env:(\w+)$/.exec(text)?.[1]
  if (variable === undefined) {
    if (isFlag) return text
    assertOwnServer(text, process.env)
    assertVendorHosts(text)
    return text
  }
  const value = process.env[variable]
  if (value) {
    assertAddress(value, variable)
    return value
  }
  throw StagecraftError.invalid({
    path: 'catalog',
    expected: `a catalog in the variable ${variable}`,
    received: 'a variable that is not set',
  })
}

/** @throws {StagecraftError} INVALID_REQUEST that names the variable, but not its value, which may be a secret. */
function assertAddress(value: string, variable: string): void {
  try {
    locateCatalog(value)
  } catch (error) {
    const given = error instanceof StagecraftError ? error.details?.faults?.[0]?.received : undefined
    if (given !== undefined && !given.startsWith('"')) throw error // This error repeats no value and has more details.
    throw StagecraftError.invalid({
      path: 'catalog',
      expected: `an address such as postgres://… or a path such as columns.yml in the variable ${variable}`,
      received: 'something else',
    })
  }
}
