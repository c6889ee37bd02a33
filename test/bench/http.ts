// Prints what HTTP costs: `POST /generate` of 30 columns through createApp, beside a bare node:http handler that calls
// the same engine. Both run at once, each asked in turn. Run: pnpm bench:http
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import autocannon from 'autocannon'
import { repositoryPath } from '../paths.ts'
import { idleMemory } from './idle-memory.ts'

interface Reading {
  readonly port: number
  readonly microseconds: number
}

interface Round {
  readonly perSecond: number
  readonly cpuMicroseconds: number
  readonly p99: number
}

const ROUNDS = 5
const SECONDS = 4
const BODY = JSON.stringify({
  type: 'staging',
  source: 'raw.stripe.payments',
  options: { addTests: true, addDocs: true },
})

function start(kind: 'app' | 'bare'): ChildProcess {
  return fork(repositoryPath('test/bench/http-server.ts'), [kind], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}

async function read(server: ChildProcess): Promise<Reading> {
  server.send('read')
  const [reading] = (await once(server, 'message')) as [Reading]
  return reading
}

async function measure(server: ChildProcess, seconds: number): Promise<Round> {
  const before = await read(server)
  const result = await autocannon({
    url: `http://127.0.0.1:${before.port}/generate`,
    method: 'POST',
    headers: { authorization: 'Bearer bench', 'content-type': 'application/json' },
    body: BODY,
    connections: 16,
    duration: seconds,
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} failures, ${result.errors} errors`)
  const after = await read(server)
  const answered = result['2xx']
  return {
    perSecond: answered / result.duration,
    cpuMicroseconds: (after.microseconds - before.microseconds) / answered,
    p99: result.latency.p99,
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

function printRounds(name: string, rounds: readonly Round[]): void {
  const perSecond = median(rounds.map((round) => round.perSecond)).toFixed(0)
  const cpu = median(rounds.map((round) => round.cpuMicroseconds)).toFixed(0)
  const p99 = median(rounds.map((round) => round.p99)).toFixed(1)
  print(`${name}: ${perSecond} requests/s, ${cpu} µs CPU per request, p99 ${p99} ms`)
}

print(`idle server: ${(idleMemory() / 1e6).toFixed(0)} MB`)
const app = start('app')
const bare = start('bare')
for (const server of [app, bare]) await measure(server, 2)

const appRounds: Round[] = []
const bareRounds: Round[] = []
for (let round = 0; round < ROUNDS; round++) {
  appRounds.push(await measure(app, SECONDS))
  bareRounds.push(await measure(bare, SECONDS))
}
printRounds('createApp', appRounds)
printRounds('bare node:http', bareRounds)
const ratios = appRounds.map(({ perSecond }, index) => perSecond / (bareRounds[index]?.perSecond ?? 1))
print(
  `ratio of requests/s: ${median(ratios).toFixed(2)} (rounds: ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')})`,
)
app.disconnect()
bare.disconnect()
