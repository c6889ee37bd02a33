import { closeContext } from '@stagecraft/service'
import { openServiceContext } from '../service/open-service-context.ts'
import { type DataFlags, readServiceSettings } from '../service/service-settings.ts'
import { createLogger } from '../serve/create-logger.ts'

/** `stagecraft db migrate`: what `serve` does at its start, for those who want it done before. */
export async function migrateCommand(flags: DataFlags): Promise<void> {
  const settings = readServiceSettings(flags, process.env)
  const context = await openServiceContext(settings, {
    // the tables of an empty PostgreSQL are made here as well as by serve
    existing: 'file' in settings.store,
    logger: createLogger('warn'),
  })
  await closeContext(context)
  process.stderr.write('the tables of the store are up to date\n')
}

/** `stagecraft db backup`: a copy of an embedded store, also while a service runs on it. */
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
