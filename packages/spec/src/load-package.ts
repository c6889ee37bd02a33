import { StagecraftError } from './errors.ts'

export interface OptionalPackage<Module> {
  /** The name to install, `pg`. */
  readonly packageName: string
  /** The thing that cannot do without it, `this catalog`. */
  readonly neededBy: string
  /** Imports it, so that bundlers see the name. */
  readonly load: () => Promise<Module>
  /** The way to do without it, after "or". Default: there is none. */
  readonly instead?: string
}

/**
 * Loads an optional package on first use.
 *
 * @throws {StagecraftError} INVALID_REQUEST that names the package to install.
 */
export async function loadPackage<Module>({
  instead,
  load,
  neededBy,
  packageName,
}: OptionalPackage<Module>): Promise<Module> {
  try {
    return await load()
  } catch (cause) {
    const install = `npm install ${packageName}`
    const suggestion = instead === undefined ? install : `${install}, or ${instead}`
    throw new StagecraftError(
      'INVALID_REQUEST',
      `${neededBy} needs the package ${packageName}, which cannot be loaded; run: ${suggestion}`,
      { cause, details: { suggestion } },
    )
  }
}
