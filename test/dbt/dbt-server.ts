import { type ChildProcess, spawn } from 'node:child_process'
import { Socket } from 'node:net'
import { createInterface, type Interface } from 'node:readline'
import { repositoryPath } from '../paths.ts'

/** What a command of dbt ended with, and all that it wrote. */
export interface DbtResult {
  readonly code: number
  readonly output: string
}

interface Server {
  readonly child: ChildProcess
  readonly answers: Interface
  last: Promise<unknown>
}

const servers = new Map<string, Server>()

/**
 * Runs a dbt that is written in Python in a fork of a process that has it loaded, which stays for the next command.
 * The environment is that of the first command.
 */
export async function runInServer(
  python: string,
  environment: NodeJS.ProcessEnv,
  command: { readonly folder: string; readonly parameters: readonly string[] },
): Promise<DbtResult> {
  const server = servers.get(python) ?? start(python, environment)
  const result = server.last.then(() => ask(server, JSON.stringify(command)))
  server.last = result.catch(() => undefined)
  return await result
}

function start(python: string, environment: NodeJS.ProcessEnv): Server {
  const child = spawn(python, [repositoryPath('test/dbt/dbt-server.py')], {
    env: environment,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const server = { child, answers: createInterface({ input: child.stdout }), last: Promise.resolve() }
  servers.set(python, server)
  // It ends with its input, so nobody has to wait for it, unless a command of his runs.
  child.unref()
  hold(child, false)
  return server
}

async function ask({ answers, child }: Server, line: string): Promise<DbtResult> {
  const ended = Promise.withResolvers<DbtResult>()
  const fail = (): void => ended.reject(new Error('the process that runs dbt ended'))
  const answer = (text: string): void => ended.resolve(JSON.parse(text) as DbtResult)
  child.once('exit', fail).once('error', ended.reject)
  answers.once('line', answer)
  if (child.exitCode !== null) fail()
  hold(child, true)
  child.stdin?.write(`${line}\n`)
  try {
    return await ended.promise
  } finally {
    hold(child, false)
    child.off('exit', fail).off('error', ended.reject)
    answers.off('line', answer)
  }
}

/** Says whether this process stays for what the other one writes. */
function hold({ stdin, stdout }: ChildProcess, isHeld: boolean): void {
  for (const pipe of [stdin, stdout]) if (pipe instanceof Socket) pipe[isHeld ? 'ref' : 'unref']()
}
