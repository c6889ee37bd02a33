import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe } from 'vitest'
import { repositoryPath } from '../paths.ts'
import { freePort, isListening } from '../servers.ts'

const MOTO = repositoryPath('.venvs/moto/bin/moto_server')

export interface Moto {
  /** Leads AWS's tools to it. */
  readonly environment: Readonly<Record<string, string>>
  readonly stop: () => void
}

/** An emulator of AWS, which keeps what is written and checks no right. */
export async function startMoto(): Promise<Moto> {
  const port = await freePort()
  const server = spawn(MOTO, ['-H', '127.0.0.1', '-p', `${port}`], { stdio: 'ignore' })
  while (!(await isListening('127.0.0.1', port))) await sleep(100)
  return {
    environment: { AWS_ENDPOINT_URL: `http://127.0.0.1:${port}/` },
    stop: () => void server.kill(),
  }
}

/** Groups tests that need it. */
export function describeWithMoto(name: string, body: () => void): void {
  const isRequired = Boolean(process.env['STAGECRAFT_REQUIRE_ALL'])
  describe.skipIf(!existsSync(MOTO) && !isRequired)(
    `${name} (test/engines/install.sh)`,
    { meta: { needs: 'moto, which test/engines/install.sh installs' } },
    () => {
      body()
    },
  )
}
