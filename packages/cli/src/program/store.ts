import type { Command } from 'commander'
import type { CreateKeyFlags } from '../commands/keys.ts'
import type { DataFlags } from '../service/service-settings.ts'

const DATA_NOTES = `
The store is that of serve: a file in the data folder, or the PostgreSQL of DATABASE_URL.`

function dataOption(command: Command): Command {
  return command
    .option('--data <dir>', 'data folder (default: .stagecraft/data)')
    .addHelpText('after', DATA_NOTES)
}

/** `stagecraft keys`. */
export function addKeys(program: Command): void {
  const keys = program.command('keys').description('create, list and revoke API keys of a store')
  dataOption(keys.command('create').description('create a key, and print it once'))
    .argument('<name>', 'what it is for: ci')
    .option('--project <id>', 'the project that it opens (default: the only one)')
    .option('--scopes <list>', 'what it may do: generate,read,write,webhooks,admin', 'generate,read')
    .option('--expires <time>', 'until when: 2027-01-31 (default: for ever)')
    .action(async (name: string, flags: CreateKeyFlags) => {
      const { createKeyCommand } = await import('../commands/keys.ts')
      await createKeyCommand(name, flags)
    })
  dataOption(keys.command('list').description('list all keys; none of them can be shown')).action(
    async (flags: DataFlags) => {
      const { listKeysCommand } = await import('../commands/keys.ts')
      await listKeysCommand(flags)
    },
  )
  dataOption(keys.command('revoke').description('revoke a key at once'))
    .argument('<id>', 'key_…, as listed')
    .action(async (id: string, flags: DataFlags) => {
      const { revokeKeyCommand } = await import('../commands/keys.ts')
      await revokeKeyCommand(id, flags)
    })
}

/** `stagecraft db`. */
export function addDatabase(program: Command): void {
  const db = program.command('db').description('look after a store')
  dataOption(
    db.command('migrate').description('bring its tables up to date, as serve does when it starts'),
  ).action(async (flags: DataFlags) => {
    const { migrateCommand } = await import('../commands/db.ts')
    await migrateCommand(flags)
  })
  dataOption(db.command('backup').description('copy an embedded store, also while it is used'))
    .argument('<file>', 'where to; it must not be there')
    .action(async (file: string, flags: DataFlags) => {
      const { backupCommand } = await import('../commands/db.ts')
      await backupCommand(file, flags)
    })
}
