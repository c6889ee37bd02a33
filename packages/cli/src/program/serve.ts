import { type Command, Option } from 'commander'
import type { ServeFlags } from '../commands/serve.ts'
import { holdYoungGeneration } from '../serve/young-generation.ts'
import { backendOptions, catalogOptions, outputOptions } from './options.ts'

const SERVE_NOTES = `
Without --catalog it serves everything: POST /generate, and under /v1 projects, connections, scans, units, generations,
pushes, events and webhooks. They are kept in a file of the data folder, or in the PostgreSQL of DATABASE_URL, which any
number of processes can share. An empty store gets a first project over the demo warehouse, and its key is printed once.

With --catalog it serves POST /generate over that catalog alone, without a store.

Environment:
  DATABASE_URL                     postgres://…, in place of the file
  STAGECRAFT_SECRET_KEY            32 bytes in hex or base64 that secrets are sealed with; else a key file is made
  STAGECRAFT_ADMIN_KEY             the key of the first project; else one is made and printed once
  STAGECRAFT_ALLOW_LOCAL           1 or 0: whether connections and Git remotes may be files of this machine;
                                   without it they may, unless DATABASE_URL is set
  STAGECRAFT_WEBHOOK_ALLOW_CIDRS   private networks that webhooks may go to: 10.20.0.0/16
  STAGECRAFT_WEBHOOK_ALLOW_HTTP    1: http: is allowed there
  STAGECRAFT_API_KEYS              with --catalog: keys that may ask; else one is made and printed once
docs/how-to/run-the-service.md has all of it.`

/** `stagecraft serve`. */
export function addServe(program: Command): void {
  const command = program.command('serve').description('serve the HTTP interface')
  outputOptions(backendOptions(catalogOptions(command)))
    .option('--port <number>', 'port to listen on; 0 for any that is free', '8080')
    .option('--api-port <number>', 'port of its own for what is under /v1')
    .option('--host <address>', 'address to listen on; 0.0.0.0 for all', '127.0.0.1')
    .option('--data <dir>', 'data folder (default: .stagecraft/data)')
    .addOption(
      new Option('--role <role>', 'requests, the work behind them, or both (default: all)').choices([
        'api',
        'worker',
        'all',
      ]),
    )
    .option('--rate-limit <requests>', 'requests that a key has per minute; 0 for no limit', '600')
    .option('--deadline <seconds>', 'how long a generation may take', '120')
    .addOption(
      new Option('--log-level <level>', 'least level of lines on standard error')
        .choices(['debug', 'info', 'warn', 'error', 'silent'])
        .default('info'),
    )
    .addHelpText('after', SERVE_NOTES)
    .action(async (flags: ServeFlags) => {
      holdYoungGeneration()
      const { serveCommand } = await import('../commands/serve.ts')
      await serveCommand(flags)
    })
}
