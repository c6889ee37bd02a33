import { closeContext, resealSecrets } from '@stagecraft/service'
import { StagecraftError } from '@stagecraft/spec'
import { openServiceContext } from './open-service-context.ts'
import { type DataFlags, readServiceSettings } from './service-settings.ts'
import { createLogger } from './create-logger.ts'

/** `stagecraft db migrate`: migrates the store like the start of `serve`, but separately. */
export async function migrateCommand(flags: DataFlags): Promise<void> {
  const settings = readServiceSettings(flags, process.env)
  const context = await openServiceContext(settings, {
    // As with serve, an empty PostgreSQL database gets its tables.
    existing: 'file' in settings.store,
    logger: createLogger('warn'),
  })
  await closeContext(context)
  process.stderr.write('the tables of the store are up to date\n')
}

/** `stagecraft db backup`: copies an embedded store, even while a service uses it. */
export async function backupCommand(file: string, flags: DataFlags): Promise<void> {
  const settings = readServiceSettings(flags, process.env)
  const context = await openServiceContext(settings, { existing: true, logger: createLogger('warn') })
  try {
    await context.store.backup(file)
  } finally {
    await closeContext(context)
  }
  process.stderr.write(`wrote ${file}; the key of its secrets is in ${settings.keyFile}\n`)
}

/**
 * `stagecraft db reseal`: encrypts all secrets of the store with the newest key, so that older keys can be removed.
 *
 * @throws {StagecraftError} CONNECTION_FAILED if some cannot be decrypted; all others are encrypted again.
 */
export async function resealCommand(flags: DataFlags): Promise<void> {
  const settings = readServiceSettings(flags, process.env)
  const context = await openServiceContext(settings, { existing: true, logger: createLogger('warn') })
  try {
    const { resealed, unreadable } = await resealSecrets(context)
    process.stderr.write(`secrets encrypted with the newest key: ${resealed}\n`)
    if (unreadable.length === 0) return
    throw new StagecraftError(
      'CONNECTION_FAILED',
      `STAGECRAFT_SECRET_KEY has no key for ${unreadable.join(', ')}; add the key that encrypted them, or set these secrets again`,
      { details: { unreadable } },
    )
  } finally {
    await closeContext(context)
  }
}
