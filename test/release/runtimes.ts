// The runtimes that the packed packages are tried on, each as npm has it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { newAdminKey } from '../service/start-service.ts'

const NODE = `npm:node-${process.platform}-${process.arch}`

/** By the name of their folder: the oldest Node that the packages promise to run on, the newest ones, and others. */
export const RUNTIMES = {
  'node-22': { package: `${NODE}@22.18.0`, program: 'bin/node', parameters: [] },
  'node-26': { package: `${NODE}@26.10.0`, program: 'bin/node', parameters: [] },
  deno: { package: 'npm:deno@2.9.6', program: '../.bin/deno', parameters: ['run', '--no-prompt'] },
  bun: { package: 'npm:bun@1.4.5', program: '../.bin/bun', parameters: [] },
} as const

export type Runtime = keyof typeof RUNTIMES

/** Names of the packages for an installation. */
export const RUNTIME_PACKAGES: readonly string[] = Object.entries(RUNTIMES).map(
  ([name, runtime]) => `${name}@${runtime.package}`,
)

/** Returns the command that runs a program, where the runtimes are installed. */
export function commandOf(name: Runtime, folder: string): readonly [string, readonly string[]] {
  const { parameters, program } = RUNTIMES[name]
  return [join(folder, 'node_modules', name, program), parameters]
}

/** Flags that name the tables of the tests. */
export const CATALOG = ['--catalog', 'columns.yml', '--dialect', 'duckdb']

/** Starts `stagecraft serve` with a store in a folder, and returns the names of the projects that it lists. */
export async function listProjectsByService(
  node: string,
  command: string,
  folder: string,
): Promise<readonly string[]> {
  const key = newAdminKey()
  const secret = Buffer.alloc(32, 7).toString('base64')
  const child = spawn(node, [command, 'serve', '--port', '0', '--data', 'data'], {
    cwd: folder,
    env: { ...process.env, STAGECRAFT_ADMIN_KEY: key, STAGECRAFT_SECRET_KEY: secret },
  })
  const ended = once(child, 'close')
  try {
    const address = await new Promise<string>((resolve, reject) => {
      let printed = ''
      const read = (text: string): void => {
        printed += text
        const [, found] = /API (http:\S+)\/v1/.exec(printed) ?? []
        if (found !== undefined) resolve(found)
      }
      for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', read)
      ended.then(() => reject(new Error(`the service ended: ${printed}`)), reject)
    })
    const answer = await fetch(`${address}/v1/projects`, { headers: { authorization: `Bearer ${key}` } })
    const { data } = (await answer.json()) as {
      readonly data: { readonly items: readonly { readonly name: string }[] }
    }
    return data.items.map(({ name }) => name)
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}
