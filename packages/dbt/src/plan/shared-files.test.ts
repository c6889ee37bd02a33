import type { Config, Table } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { actionsOf, pretendProject } from '../testing/pretend-project.ts'

const table = (schema: string, name: string, ...columns: readonly string[]): Table => ({
  schema,
  name,
  columns: ['id', ...columns].map((column) => ({ name: column, type: 'int' })),
  primaryKey: ['id'],
})

const FILE = 'models/all.yml'

/** All that is said of sources, or of models too, stands in one file. */
const SOURCES: Config = { naming: { sourcesFile: 'all.yml', sourcesFolder: 'models' } }
const ALL: Config = {
  naming: { ...SOURCES.naming, types: { staging: { folder: 'models', yaml: 'all.yml' } } },
}

interface Properties {
  readonly sources?: readonly {
    readonly name: string
    readonly tables: readonly { readonly name: string }[]
  }[]
  readonly models?: readonly { readonly name: string }[]
}

/** The tables and models that a file has entries of. */
function entriesOf(text: string | undefined): readonly string[] {
  const { models = [], sources = [] } = parse(text ?? '{}') as Properties
  return [
    ...sources.flatMap(({ name, tables }) => tables.map((one) => `${name}.${one.name}`)),
    ...models.map(({ name }) => name),
  ].toSorted()
}

const FILES: Readonly<Record<string, string | undefined>> = {
  'no file': undefined,
  'a file of nothing': 'version: 2\n',
  'a file of lists in blocks': `version: 2

sources:
  # ours
  - name: hr
    tables:
      - name: people
`,
  'a file of lists in brackets': 'version: 2\nsources: [{name: hr, tables: [{name: people}]}] # ours\n',
  'a file that has one of the sources': `version: 2
sources:
  - name: shop # ours
    tables: [{name: carts}]
models: []
`,
}

for (const [name, text] of Object.entries(FILES))
  for (const config of [SOURCES, ALL])
    test(`several sources in one file are all written: ${name}, ${config === ALL ? 'models too' : 'sources alone'}`, async () => {
      const project = pretendProject(text === undefined ? {} : { [FILE]: text })
      const before = entriesOf(text)
      const tables = [table('shop', 'a'), table('shop', 'b'), table('crm', 'b'), table('aaa', 'z')]
      const models = config === ALL ? ['stg_aaa__z', 'stg_crm__b', 'stg_shop__a', 'stg_shop__b'] : []
      const all = [...before, 'aaa.z', 'crm.b', 'shop.a', 'shop.b', ...models].toSorted()
      await project.apply(tables, { config })
      expect(entriesOf(project.files.get(FILE))).toEqual(all)
      if (text?.includes('# ours')) expect(project.files.get(FILE)).toContain('# ours')
      expect(actionsOf(await project.plan(tables, { config }))).toEqual({})

      const more = [...tables, table('billing', 'c')]
      await project.apply(more, { config, only: ['c'] })
      const billed = [...all, 'billing.c', ...(config === ALL ? ['stg_billing__c'] : [])].toSorted()
      expect(entriesOf(project.files.get(FILE))).toEqual(billed)
      expect(actionsOf(await project.plan(more, { config }))).toEqual({})

      const changed = more.map((one) => (one.schema === 'crm' ? table('crm', 'b', 'total') : one))
      await project.apply(changed, { config })
      expect(project.files.get(FILE)).toContain('total')
      expect(entriesOf(project.files.get(FILE))).toEqual(billed)
      expect(actionsOf(await project.plan(changed, { config }))).toEqual({})
    })

/** A file of two sources, with what a person wrote about the one that loses its last table. */
const PRUNED: Readonly<Record<string, readonly [string, string]>> = {
  'nothing of a person': ['', ''],
  'a comment': ['# ask Mei\n', 'tables: []'],
  'a description': ['description: Ours.\n', 'tables: []'],
}

test.each(Object.entries(PRUNED))(
  'a source that loses its last table goes, unless a person wrote about it: %s',
  async (_, [said, left]) => {
    for (const isFlow of [false, true]) {
      const project = pretendProject(
        isFlow ? { [FILE]: 'version: 2\nsources: [{name: hr, tables: [{name: people}]}]\n' } : {},
      )
      const tables = [table('shop', 'a'), table('crm', 'b')]
      await project.apply(tables, { config: SOURCES })
      const written = project.files.get(FILE) ?? ''
      const edited = isFlow
        ? written.replace('{name: crm, ', `{name: crm, ${said.startsWith('d') ? 'description: Ours., ' : ''}`)
        : written.replace(
            /( +)- name: crm\n/,
            (line, indent: string) => `${line}${said && `${indent}  ${said}`}`,
          )
      if (said !== '' && !(isFlow && said.startsWith('#'))) expect(edited).not.toBe(written)
      project.files.set(FILE, edited)
      await project.apply([table('shop', 'a')], { config: SOURCES, prune: true })
      const text = project.files.get(FILE) ?? ''
      const isLeft = isFlow ? said.startsWith('d') : left !== ''
      expect(text.includes('crm')).toBe(isLeft)
      if (isLeft) {
        expect(text).toContain(said.trim())
        expect(text).toMatch(/tables: \[\]/)
      }
      const { sources = [] } = parse(text) as Properties
      expect(Object.fromEntries(sources.map(({ name, tables: own }) => [name, own.length]))).toEqual({
        ...(isFlow && { hr: 1 }),
        ...(isLeft && { crm: 0 }),
        shop: 1,
      })
      expect(actionsOf(await project.plan([table('shop', 'a')], { config: SOURCES, prune: true }))).toEqual(
        {},
      )
      await project.apply(tables, { config: SOURCES })
      expect(entriesOf(project.files.get(FILE))).toContain('crm.b')
    }
  },
)
