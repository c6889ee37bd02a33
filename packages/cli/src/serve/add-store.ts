import type { Command } from 'commander'
import type { CreateKeyFlags } from './keys.ts'
import type { DataFlags } from './service-settings.ts'

const DATA_NOTES = `
Uses the same store as serve: a file in the data folder, or the PostgreSQL of DATABASE_URL.`

function dataOption(command: Command): Command {
  return command
    .option('--data <dir>', 'data folder (default: .stagecraft/data)')
    .addHelpText('after', DATA_NOTES)
}

/** `stagecraft keys`. */
export function addKeys(program: Command): void {
  const keys = program.command('keys').description('create, list and revoke API keys of a store')
  dataOption(keys.command('create').description('create a key, and print it once'))
    .argument('<name>', 'purpose of the key: ci')
    .option('--project <id>', 'project of the key (default: the only one)')
    .option('--scopes <list>', 'permissions: generate,read,write,webhooks,admin', 'generate,read')
    .option('--expires <time>', 'expiry date, e.g. 2027-01-31 (default: never)')
    .action(async (name: string, flags: CreateKeyFlags) => {
      const { createKeyCommand } = await import('./keys.ts')
      await createKeyCommand(name, flags)
    })
  dataOption(keys.command('list').description('list all keys, without their secrets')).action(
    async (flags: DataFlags) => {
      const { listKeysCommand } = await import('./keys.ts')
      await listKeysCommand(flags)
    },
  )
  dataOption(keys.command('revoke').description('revoke a key immediately'))
    .argument('<id>', 'key_…, as listed')
    .action(async (id: string, flags: DataFlags) => {
      const { revokeKeyCommand } = await import('./keys.ts')
      await revokeKeyCommand(id, flags)
    })
}

/** `stagecraft db`. */
export function addDatabase(program: Command): void {
  const db = program.command('db').description('maintain a store')
  dataOption(
    db.command('migrate').description('update the tables of the store, as serve does when it starts'),
  ).action(async (flags: DataFlags) => {
    const { migrateCommand } = await import('./db.ts')
    await migrateCommand(flags)
  })
  dataOption(db.command('backup').description('copy an embedded store, even while it is in use'))
    .argument('<file>', 'target file; it must not exist')
    .action(async (file: string, flags: DataFlags) => {
      const { backupCommand } = await import('./db.ts')
      await backupCommand(file, flags)
    })
  dataOption(
    db.command('reseal').description('encrypt all secrets with the newest key of STAGECRAFT_SECRET_KEY'),
  ).action(async (flags: DataFlags) => {
    const { resealCommand } = await import('./db.ts')
    await resealCommand(flags)
  })
}
