// A ClickHouse server of Debian, of 2018: too old for the statements of the catalog, but with the real HTTP interface.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { repositoryPath } from '../paths.ts'
import { freePort, isListening } from '../servers.ts'

const folder = repositoryPath('.venvs/clickhouse-server')

export const isOldClickhouseInstalled = existsSync(`${folder}/done`)

export interface OldClickhouse {
  /** `127.0.0.1:12345` */
  readonly host: string
  /** Runs a statement as the user who may do everything. */
  readonly ask: (statement: string) => Promise<string>
  readonly stop: () => Promise<void>
}

/** Starts it with the users `default` without a password, `reader` with one, and `locked`, who is read-only. */
export async function startOldClickhouse(password: string): Promise<OldClickhouse> {
  const data = mkdtempSync(join(tmpdir(), 'stagecraft-clickhouse-'))
  const port = await freePort()
  writeFileSync(join(data, 'config.xml'), configOf(data, port, await freePort()))
  writeFileSync(join(data, 'users.xml'), usersOf(password))
  const library = ['usr/lib/x86_64-linux-gnu', 'usr/lib', 'lib/x86_64-linux-gnu'].map(
    (path) => `${folder}/${path}`,
  )
  const server = spawn(`${folder}/usr/sbin/clickhouse-server`, [`--config-file=${data}/config.xml`], {
    stdio: 'ignore',
    env: { ...process.env, LD_LIBRARY_PATH: library.join(':') },
  })
  await untilListening(port, server)
  const host = `127.0.0.1:${port}`
  return {
    host,
    ask: async (statement) => (await fetch(`http://${host}/`, { method: 'POST', body: statement })).text(),
    stop: async () => {
      server.kill('SIGKILL')
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
      rmSync(data, { recursive: true, force: true })
    },
  }
}

async function untilListening(port: number, server: ChildProcess): Promise<void> {
  while (!(await isListening('127.0.0.1', port))) {
    if (server.exitCode !== null) throw new Error(`clickhouse-server ended with ${server.exitCode}`)
    await sleep(100)
  }
}

function configOf(data: string, port: number, tcpPort: number): string {
  return `<yandex>
  <logger><level>error</level><log>${data}/log</log><errorlog>${data}/errors</errorlog></logger>
  <http_port>${port}</http_port><tcp_port>${tcpPort}</tcp_port><listen_host>127.0.0.1</listen_host>
  <path>${data}/data/</path><tmp_path>${data}/tmp/</tmp_path><format_schema_path>${data}/formats/</format_schema_path>
  <users_config>${data}/users.xml</users_config>
  <default_profile>default</default_profile><default_database>default</default_database>
  <mark_cache_size>5368709</mark_cache_size>
</yandex>`
}

function usersOf(password: string): string {
  const user = (name: string, secret: string, profile: string): string =>
    `<${name}><password>${secret}</password><networks><ip>127.0.0.1</ip></networks><profile>${profile}</profile><quota>default</quota></${name}>`
  return `<yandex>
  <profiles><default/><locked><readonly>1</readonly></locked></profiles>
  <users>${user('default', '', 'default')}${user('reader', password, 'default')}${user('locked', password, 'locked')}</users>
  <quotas><default/></quotas>
</yandex>`
}
