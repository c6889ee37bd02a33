import { type Command, Option } from 'commander'
import type { ServeFlags } from './serve-flags.ts'
import { limitHeapGrowth } from './heap-limits.ts'
import { backendOptions, catalogOptions, outputOptions } from '../program/options.ts'

const SERVE_NOTES = `
Without --catalog it serves POST /generate, and under /v1 projects, connections, scans, units, generations,
pushes, events and webhooks. It keeps them in a file of the data folder, or in the PostgreSQL of DATABASE_URL, which any
number of processes can share. An empty store gets a first project over the demo warehouse, and its key is printed once.

Beside /v1 it serves the dashboard under /app. With a store in a file, each start prints a link that signs in once,
until the first sign-in.

With --catalog it serves only POST /generate over that catalog, without a store.

Environment:
  DATABASE_URL                     postgres://…, instead of the file
  STAGECRAFT_SECRET_KEY            32 bytes in hex or base64 that encrypt secrets (default: a key file, created once)
  STAGECRAFT_ADMIN_KEY             the key of the first project (default: created and printed once)
  STAGECRAFT_ALLOW_LOCAL           1 or 0: allows files of this machine as connections and Git remotes
                                   (default: 1, or 0 if DATABASE_URL is set)
  STAGECRAFT_CONNECTION_NETWORKS   networks of connections if local access is off: public, private, machine,
                                   ranges (default: public,private,machine)
  STAGECRAFT_WEBHOOK_ALLOW_CIDRS   private networks that webhooks may reach: 10.20.0.0/16
  STAGECRAFT_WEBHOOK_ALLOW_HTTP    1: allows http: there
  STAGECRAFT_API_KEYS              with --catalog: accepted keys (default: one, created and printed once)
docs/how-to/run-the-service.md has the details.`

/** `stagecraft serve`. */
export function addServe(program: Command): void {
  const command = program.command('serve').description('serve the HTTP interface')
  outputOptions(backendOptions(catalogOptions(command)))
    .option('--port <number>', 'port to listen on; 0 for any free port', '8080')
    .option('--api-port <number>', 'separate port for /v1')
    .option('--host <address>', 'address to listen on; 0.0.0.0 for all', '127.0.0.1')
    .option('--data <dir>', 'data folder (default: .stagecraft/data)')
    .addOption(
      new Option('--role <role>', 'API, background worker, or both (default: all)').choices([
        'api',
        'worker',
        'all',
      ]),
    )
    .option('--rate-limit <requests>', 'requests per key and minute; 0 for no limit', '600')
    .option('--deadline <seconds>', 'time limit of a generation', '120')
    .option('--no-dashboard', 'omit the pages under /app')
    .addOption(
      new Option('--log-level <level>', 'lowest level of log lines on standard error')
        .choices(['debug', 'info', 'warn', 'error', 'silent'])
        .default('info'),
    )
    .addHelpText('after', SERVE_NOTES)
    .action(async (flags: ServeFlags) => {
      limitHeapGrowth()
      const { readServeFlags } = await import('./serve-flags.ts')
      const settings = readServeFlags(flags)
      if (flags.catalog === undefined) {
        const { serveStore } = await import('./serve-store.ts')
        await serveStore(flags, settings)
      } else {
        const { serveCatalog } = await import('./serve-catalog.ts')
        await serveCatalog(flags, settings)
      }
    })
}
