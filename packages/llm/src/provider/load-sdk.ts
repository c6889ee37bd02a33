import { StagecraftError } from '@stagecraft/spec'

/**
 * Loads an optional SDK on first use.
 *
 * @throws {StagecraftError} INVALID_REQUEST that names the package to install.
 */
export async function loadSdk<Sdk>(packageName: string, load: () => Promise<Sdk>): Promise<Sdk> {
  return await load().catch((cause: unknown) => {
    const suggestion = `npm install ${packageName}`
    const message = `this backend needs the package ${packageName}, which cannot be loaded; run: ${suggestion}`
    throw new StagecraftError('INVALID_REQUEST', message, { cause, details: { suggestion } })
  })
}
