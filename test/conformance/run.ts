import { Command, InvalidArgumentError, Option } from 'commander'
import { startVitest } from 'vitest/node'
import { repositoryPath } from '../paths.ts'
import type { Target } from './target.ts'

interface Flags {
  readonly baseUrl: string
  readonly apiUrl?: string
  readonly key: string
  readonly receiver: Target['receiver']
  readonly receiverUrl?: string
  readonly source?: string
  readonly rateLimit?: number
  readonly deadline?: number
  readonly strict: boolean
}

const NOTES = `
It scans the default connection of the key's project, generates, makes units, webhooks, keys and projects and deletes them
again. What cannot be tried is reported as not run, with the reason. Exit code: 0 when nothing failed.`

const { apiUrl, baseUrl, deadline, key, rateLimit, receiver, receiverUrl, source, strict } = new Command()
  .name('conformance')
  .description('tries a service, sentence by sentence of its contract')
  .requiredOption('--base-url <url>', 'base address of POST /generate', readUrl)
  .option('--api-url <url>', 'address of what is under /v1 (default: the base address)', readUrl)
  .addOption(new Option('--key <key>', 'a key of all scopes').env('STAGECRAFT_API_KEY').makeOptionMandatory())
  .option('--receiver <host:port>', 'where to listen for deliveries; port 0 for any', readReceiver, {
    host: '127.0.0.1',
    port: 0,
  })
  .option('--receiver-url <url>', 'how the service reaches that, when it is not http: to it', readUrl)
  .option('--source <name>', 'a table that has tests (default: one that a scan finds)')
  .option('--rate-limit <requests>', 'requests of a key per minute, to be used up', readNumber)
  .option('--deadline <seconds>', 'time limit of a generation, when that is at most 10', readNumber)
  .option('--strict', 'fail where something cannot be tried', false)
  .addHelpText('after', NOTES)
  .parse()
  .opts<Flags>()

const conformanceTarget: Target = {
  baseUrl,
  apiUrl: apiUrl ?? baseUrl,
  key,
  receiver,
  ...(receiverUrl !== undefined && { receiverUrl }),
  ...(source !== undefined && { source }),
  ...(rateLimit !== undefined && { requestsPerMinute: rateLimit }),
  ...(deadline !== undefined && { deadlineSeconds: deadline }),
  isStrict: strict,
}

const vitest = await startVitest('test', [], {
  config: false,
  root: repositoryPath(''),
  include: ['test/conformance/against-address.ts'],
  provide: { conformanceTarget },
  reporters: ['verbose'],
  watch: false,
})
await vitest.close()

function readUrl(text: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '')
  throw new InvalidArgumentError('expected an address such as https://api.example.com')
}

function readReceiver(text: string): Target['receiver'] {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  if (host === undefined) throw new InvalidArgumentError('expected host:port')
  return { host, port: Number(port) }
}

function readNumber(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('expected a whole number from 1')
}
