import { readFileSync } from 'node:fs'
import { printReport } from '@stagecraft/analysis'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { repositoryPath } from '../paths.ts'
import { lintFiles } from './lint-project.ts'

const FILES = {
  'models/sources.yml': 'sources:\n  - name: shop\n    tables: [{ name: orders }]\n',
  'models/marts/fct orders.sql': "select *\nfrom {{ ref('100%, none:') }}\n",
  'models/marts/fct_lines.sql':
    "select * from {{ source('shop', 'orders') }} -- stagecraft: ignore SC403 small\n",
  'models/marts/fct_open.sql': "select * from {{ source('shop', 'orders') }}\n",
  'models/staging/stg_x.sql': '{{ some_package.anything() }}\n',
  'models/staging/stg_bom.sql': "\uFEFFselect 1 as id, 'ü𝄞' as note from a.b\n",
}

interface SarifLog {
  readonly runs: readonly {
    readonly results: readonly {
      readonly ruleId: string
      readonly ruleIndex: number
      readonly partialFingerprints: Readonly<Record<string, string>>
      readonly suppressions?: readonly unknown[]
      readonly locations: readonly [
        { readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } } },
      ]
    }[]
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } }
    readonly invocations: readonly { readonly toolExecutionNotifications: readonly unknown[] }[]
  }[]
}

test('SARIF is valid by its schema, and tells findings, suppressions and what was not checked', async () => {
  const report = await lintFiles(FILES)
  const log = JSON.parse(
    printReport(report, 'sarif', { version: '1.2.3', prefix: 'my warehouse/' }),
  ) as SarifLog
  const schema = JSON.parse(
    readFileSync(repositoryPath('test/fixtures/sarif/sarif-2.1.0.json'), 'utf8'),
  ) as Record<string, unknown>
  // The draft that the schema names is not needed to read it.
  const { $schema: _draft, id: _id, ...rest } = schema
  const validate = new Ajv({
    strict: false,
    validateFormats: false,
    allErrors: true,
    unicodeRegExp: false,
  }).compile(rest)
  validate(log)
  expect(validate.errors ?? []).toEqual([])
  const [run] = log.runs
  const results = run?.results ?? []
  expect(results.map(({ ruleId }) => ruleId)).toContain('SC308')
  for (const { ruleId, ruleIndex } of results) expect(run?.tool.driver.rules[ruleIndex]?.id).toBe(ruleId)
  expect(results.filter(({ suppressions }) => suppressions)).toHaveLength(1)
  const uris = results.map(({ locations: [{ physicalLocation }] }) => physicalLocation.artifactLocation.uri)
  expect(uris).toContain('my%20warehouse/models/marts/fct%20orders.sql')
  expect(run?.invocations[0]?.toolExecutionNotifications).toHaveLength(report.unchecked.length)
  expect(report.unchecked).not.toEqual([])
})

test('fingerprints are unique, and stay when lines move and files are renamed', async () => {
  const fingerprints = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const { findings } = await lintFiles(files)
    return findings.map(({ fingerprint }) => fingerprint).toSorted()
  }
  const before = await fingerprints(FILES)
  expect(new Set(before).size).toBe(before.length)
  const { 'models/marts/fct_open.sql': open, ...others } = FILES
  expect(await fingerprints({ ...others, 'models/marts/deep/fct_open.sql': `\n\n${open}` })).toEqual(before)
})

test('commands of GitHub are escaped, and the worst come first', async () => {
  const printed = printReport(await lintFiles(FILES), 'github', { version: '1', prefix: 'a,b:c/' })
  const [first = ''] = printed.split('\n')
  expect(first).toMatch(
    /^::error file=a%2Cb%3Ac\/models\/marts\/fct orders\.sql,line=2,endLine=2,col=9,endColumn=27,title=SC308 missing-reference::there is no model 100%25, none:%0A/,
  )
  expect(printed.match(/^::warning file=.*SC403/gm)).toHaveLength(1)
})

test('a byte order mark takes no column', async () => {
  const { findings } = await lintFiles(FILES)
  const found = findings.find(({ rule }) => rule === 'SC402')
  expect([found?.start, found?.end]).toEqual([
    { line: 1, column: 36 },
    { line: 1, column: 39 },
  ])
})
