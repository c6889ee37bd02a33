import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { printExport } from '@stagecraft/catalogs'
import { EXPORTED_DIALECTS } from '@stagecraft/spec'
import { DIALECTS } from '@stagecraft/core'
import { type CatalogTable, DIALECT_NAMES, type DialectName } from '@stagecraft/spec'
import { describe, expect, test } from 'vitest'
import { sqlFault } from '../oracle.ts'
import { repositoryPath } from '../paths.ts'
import { AWFUL_NAMES } from '../property/arbitraries.ts'
import { snowflake } from './snowflake.ts'
import { stage, type Staged } from './stage.ts'

const STYLES = [
  {},
  { options: { casts: 'full' } },
  { preset: 'fivetran' },
  { preset: 'dbt-codegen' },
] as const

/** One column of every awful name that the dialect can tell from the others, of a type of every family. */
function awfulTable(dialect: DialectName): CatalogTable {
  const { identifiers, types } = DIALECTS[dialect]
  const fold = (name: string): string => (identifiers.caseSensitive ? name : name.toLowerCase())
  // sqlglot reads no backslash in front of a backtick, and takes dots in backticks for a path.
  const isKnown = (name: string): boolean =>
    !('\\' in identifiers.escapes && /[`\\]/.test(name)) &&
    !(identifiers.paths.quotedWhole && name.includes('.'))
  const known = AWFUL_NAMES.filter(isKnown)
  const names = [...new Map(known.map((name) => [fold(name), name])).values()]
  const spelled = Object.values(types.families).map(([first = '']) => first)
  const columns = names.map((name, index) => ({ name, type: spelled[index % spelled.length] ?? '' }))
  return { schema: 'raw', name: 'every name', columns }
}

const models: readonly Staged[] = DIALECT_NAMES.flatMap((dialect) =>
  STYLES.map((style) => stage(awfulTable(dialect), dialect, style)),
)

test('a parser reads models of awful names in all dialects', async () => {
  const faults = await Promise.all(
    models.map(async ({ dialect, sql }) => {
      const fault = await sqlFault(sql, dialect)
      return fault === undefined ? [] : [`${dialect}: ${fault}\n${sql}`]
    }),
  )
  expect(faults.flat()).toEqual([])
})

const isRequired = Boolean(process.env['STAGECRAFT_REQUIRE_ALL'])

describe.skipIf(snowflake.missing !== undefined && !isRequired)(
  `a second parser, sqlglot (${snowflake.missing ?? 'installed'})`,
  () => {
    test('reads them too, and finds the columns that were planned', () => {
      const read = readBySqlglot(models.map(({ plan, sql }) => ({ dialect: plan.dialect, sql })))
      const faults = read.flatMap(({ error, names }, index) => {
        const { plan, sql } = models[index] ?? {}
        const planned = plan?.columns.map(({ name }) => name) ?? []
        const wrong = planned.filter((name, place) => names?.[place] !== name)
        const isRead = wrong.length === 0 && names?.length === planned.length
        return isRead ? [] : [`${plan?.dialect}: ${error ?? wrong.join(', ')}\n${sql}`]
      })
      expect(faults).toEqual([])
    })

    test('reads the statements that describe a schema, of every warehouse', async () => {
      const place = { database: 'RAW', schema: "it's \\ mine" }
      const printed = await Promise.all(
        EXPORTED_DIALECTS.map(async (dialect) =>
          (await printExport([place], dialect)).map(({ name, text: sql }) => ({ dialect, name, sql })),
        ),
      )
      // of a chain of Snowflake, the last statement is a query
      const statements = printed.flat().map((one) => ({
        ...one,
        sql: (one.sql.split('\n->> ').at(-1) ?? '').replaceAll(/\bfrom \$\d/g, 'from shown'),
      }))
      const faults = readBySqlglot(statements).flatMap(({ error }, at) => {
        const { dialect, name } = statements[at] ?? {}
        return error === undefined ? [] : [`${dialect} ${name}: ${error}`]
      })
      expect(faults).toEqual([])
    })
  },
)

interface Read {
  readonly error?: string
  readonly names?: readonly string[]
}

function readBySqlglot(
  asked: readonly { readonly dialect: string; readonly sql: string }[],
): readonly Read[] {
  const script = fileURLToPath(new URL('parse_models.py', import.meta.url))
  const python = repositoryPath('.venvs/fakesnow/bin/python')
  const { stderr, stdout } = spawnSync(python, [script], { input: JSON.stringify(asked) })
  expect(stderr.toString()).toBe('')
  return JSON.parse(stdout.toString()) as readonly Read[]
}
