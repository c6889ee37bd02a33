import { StagecraftError } from '@stagecraft/spec'

/**
 * Loads an optional driver on first use.
 *
 * @throws {StagecraftError} INVALID_REQUEST that names the package to install.
 */
export async function loadDriver<Driver>(packageName: string, load: () => Promise<Driver>): Promise<Driver> {
  try {
    return await load()
  } catch (cause) {
    const suggestion = `npm install ${packageName}`
    throw new StagecraftError(
      'INVALID_REQUEST',
      `this catalog needs the package ${packageName}, which cannot be loaded; run: ${suggestion}`,
      { cause, details: { suggestion } },
    )
  }
}
