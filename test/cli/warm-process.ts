import { createProgram } from '../../packages/cli/src/program.ts'
import { finish } from '../../packages/cli/src/terminal/finish.ts'
import type { CliResult, WarmRun } from './run-cli.ts'

/** What `process.exit` throws here, so that the process goes on with the next command. */
class Exit extends Error {
  override readonly name = 'Exit'
}

process.exit = (code) => {
  if (code !== undefined) process.exitCode = code
  throw new Exit()
}

async function run({ env, folder, parameters }: WarmRun): Promise<CliResult> {
  process.chdir(folder)
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name]
  Object.assign(process.env, env)
  process.argv.splice(2, Infinity, ...parameters)
  process.exitCode = 0
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    process[name].write = (piece: Uint8Array | string, ...rest: readonly unknown[]) => {
      texts[name] += typeof piece === 'string' ? piece : Buffer.from(piece).toString()
      const done = rest.find((one) => typeof one === 'function')
      if (done) process.nextTick(done)
      return true
    }
  try {
    await createProgram().parseAsync()
  } catch (error) {
    if (!(error instanceof Exit)) await finish(error, { json: parameters.includes('--json') })
  }
  return { code: process.exitCode ?? 0, ...texts }
}

process.on('message', (message: WarmRun) => {
  void run(message).then((result) => process.send?.(result))
})
process.on('disconnect', () => process.kill(process.pid))
