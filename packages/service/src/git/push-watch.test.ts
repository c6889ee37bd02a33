import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { watchPush } from './push-watch.ts'
import { makeFolder } from './testing/repositories.ts'

const environment = { PATH: process.env['PATH'] ?? '' }

/** Whether a process is there and not only waited for. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(existsSync('/proc/self') ? readFileSync(`/proc/${pid}/status`, 'utf8') : '')
  } catch {
    return false
  }
}

/** Processes that have a text among their arguments. */
function processesWith(text: string): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text)
      } catch {
        return false
      }
    })
}

test('a process that is killed right after it started a program leaves nothing of it running', async () => {
  const folder = makeFolder(onTestFinished)
  const home = join(folder, 'home')
  mkdirSync(home)
  const source = join(folder, 'start.ts')
  const pids = join(folder, 'pids')
  writeFileSync(
    source,
    `import { writeFileSync } from 'node:fs'
    import { watchPush } from ${JSON.stringify(new URL('push-watch.ts', import.meta.url).href)}
    const watch = await watchPush(${JSON.stringify(home)})
    const child = watch.start('sleep', ['300'], { folder: '/', environment: ${JSON.stringify(environment)} })
    writeFileSync(${JSON.stringify(pids)}, String(child.pid))
    process.kill(process.pid, 'SIGKILL')`,
  )
  const [, killer] = await once(spawn(process.execPath, [source], { stdio: 'inherit' }), 'close')
  expect(killer).toBe('SIGKILL')
  const pid = Number(readFileSync(pids, 'utf8'))
  await expect.poll(() => isAlive(pid)).toBe(false)
  await expect.poll(() => existsSync(home)).toBe(false)
})

test('a program starts without its watcher, and still ends by the signal of a broken pipe', async () => {
  const folder = makeFolder(onTestFinished)
  const home = join(folder, 'home')
  mkdirSync(home)
  const watch = await watchPush(home)
  const run = async () => {
    const parameters = ['-c', 'echo here; kill -s PIPE $$; echo not ended']
    const child = watch.start('sh', parameters, { folder, environment })
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const [, killer] = await once(child, 'close')
    return { output, killer }
  }
  const whole = { output: 'here\n', killer: 'SIGPIPE' }
  expect(await run()).toEqual(whole)
  for (const pid of processesWith(home)) process.kill(pid, 'SIGKILL')
  // The pipe breaks while this process has not seen it yet.
  spawnSync('sleep', ['0.2'])
  expect(await run()).toEqual(whole)
  await watch.stop()
  expect(await run()).toEqual(whole)
})
