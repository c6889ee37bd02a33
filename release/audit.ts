// Looks for known vulnerabilities in the packages that users install: `npm run -s audit [-- --registry https://…]`.
// Fails for each one that release/audit-allowed.yml does not name, and for each of its entries that has expired.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from '@stagecraft/spec/zod'
import { parse } from 'yaml'

const TOP = fileURLToPath(new URL('..', import.meta.url))

const allowedSchema = z.array(
  z.strictObject({
    /** As GitHub or the Python advisory database names it: `GHSA-…`, `PYSEC-…`. */
    id: z.string().regex(/^(?:GHSA|PYSEC|CVE)-[\w-]+$/),
    /** The last day on which it is ignored. */
    until: z.iso.date(),
    reason: z.string().min(10),
  }),
)
export type Allowed = z.infer<typeof allowedSchema>

/** Returns the entries of the text of an allow-list. */
export function readAllowed(text: string): Allowed {
  return allowedSchema.parse(parse(text, { schema: 'failsafe' }))
}

/** Returns the entries that no longer count on a day, `2027-01-31`. */
export function expired(allowed: Allowed, today: string): Allowed {
  return allowed.filter(({ until }) => until < today)
}

/** Returns the commands that audit the packages of npm and those that the Python client needs. */
export function commands(allowed: Allowed, more: readonly string[] = []): readonly (readonly string[])[] {
  const ignored = (flag: string, ids: RegExp) =>
    allowed.filter(({ id }) => ids.test(id)).flatMap(({ id }) => [flag, id])
  const npm = 'npm run -s pn -- audit --prod --audit-level moderate'.split(' ')
  const python = 'pipx run pip-audit==2.10.1 --strict'.split(' ')
  return [
    [...npm, ...ignored('--ignore', /^GHSA-/), ...more],
    [...python, ...ignored('--ignore-vuln', /./), 'clients/python'],
  ]
}

if (import.meta.main) {
  const allowed = readAllowed(readFileSync(`${TOP}release/audit-allowed.yml`, 'utf8'))
  for (const { id, until } of expired(allowed, new Date().toISOString().slice(0, 10))) {
    process.exitCode = 1
    console.error(
      `${id} was allowed until ${until}: update the package, or review it again and change the date in release/audit-allowed.yml`,
    )
  }
  for (const [program = '', ...parameters] of commands(allowed, process.argv.slice(2))) {
    const { error, status } = spawnSync(program, parameters, { cwd: TOP, stdio: 'inherit' })
    if (error) console.error(`could not start ${program}: ${error.message}`)
    if (status !== 0) process.exitCode = 1
  }
}
