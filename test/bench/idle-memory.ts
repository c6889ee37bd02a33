import { spawnSync } from 'node:child_process'
import { repositoryPath } from '../paths.ts'

/** Has imports find the built packages, as users have them: the compiler for `.ts` alone takes ten megabytes. */
const HOOK = `
import { registerHooks } from 'node:module'
const built = (_, folder, file) => folder === 'templates' ? '/templates/dist/' + file + '.js' : '/' + folder + '/dist/' + file + '.js'
registerHooks({ resolve: (specifier, context, next) => {
  const found = next(specifier, context)
  return { ...found, url: found.url.replace(/\\/(packages\\/\\w+|templates)\\/(?:src\\/)?([^.]*)\\.ts$/, built) }
} })
`

const SCRIPT = `
import { createEngine } from '@stagecraft/core'
import { createApp, staticKeys } from '@stagecraft/http'
const none = { dialect: 'postgres', tables: async () => [], describe: async () => ({}), close: async () => {} }
const app = createApp({ engine: createEngine({ catalog: none }), keys: staticKeys([]) })
await app.listen({ port: 0, host: '127.0.0.1' })
setTimeout(() => { console.log(process.memoryUsage.rss()); process.exit() }, 1000)
`

/** Resident bytes of a built server that nobody has asked yet. */
export function idleMemory(): number {
  const hook = `data:text/javascript,${encodeURIComponent(HOOK)}`
  const parameters = ['--import', hook, '--input-type=module', '-e', SCRIPT]
  const { status, stderr, stdout } = spawnSync(process.execPath, parameters, {
    cwd: repositoryPath(''),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return Number(stdout)
}
