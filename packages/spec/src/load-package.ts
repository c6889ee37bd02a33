import { StagecraftError } from './errors.ts'

export interface OptionalPackage<Module> {
  /** The name of the package to install, `pg`. */
  readonly packageName: string
  /** The feature that needs it, `this catalog`. */
  readonly neededBy: string
  /** Imports it. A literal name lets bundlers find it. */
  readonly load: () => Promise<Module>
  /** The alternative to installing it, after "or". Default: none. */
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
