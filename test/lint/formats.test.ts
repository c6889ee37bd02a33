import { readFileSync } from 'node:fs'
import {
  applyBaseline,
  type Baseline,
  BASELINE_FILE,
  findRule,
  nextEntries,
  parseBaseline,
  printBaseline,
  printReport,
} from '@stagecraft/analysis'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { repositoryPath } from '../paths.ts'
import { type Files, lintFiles } from './lint-project.ts'

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

test('a page that leaves findings out keeps the worst, and says how many are left out', async () => {
  const count = 1100
  const models = Array.from({ length: count }, (_, index) => [
    `models/marts/a_${index}.sql`,
    "select * from {{ source('shop', 'orders') }} join {{ source('shop', 'lines') }} using (id)\n",
  ])
  const files: Files = {
    'models/sources.yml': 'sources:\n  - name: shop\n    tables: [{ name: orders }, { name: lines }]\n',
    ...(Object.fromEntries(models) as Files),
    'models/z_last.sql': "select * from {{ ref('nothing') }}\n",
  }
  const report = await lintFiles(files)
  expect(report.findings.length).toBe(2 * count + 1)
  const page = printReport(report, 'html', { version: '1' })
  expect(page).toContain('there is no model nothing')
  expect(page).toContain('data-rest="201"')
})

test('a name with a line break stays on its line', async () => {
  const files = {
    'models/a\nb.sql': "select * from {{ source('shop', var('table')) }}\n",
    'models/sources.yml': FILES['models/sources.yml'],
  }
  const text = printReport(await lintFiles(files), 'text', { version: '1' })
  expect(text).not.toMatch(/^b/m)
})

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

const NASTY = {
  ...FILES,
  'models/more.yml': 'sources:\n  - name: old\n    tables: [{ name: gone }]\n',
  'models/marts/fct_"a&b<c>.sql': "select * from {{ ref(']]>&<\"\u0007\u202e') }}\n",
}

test('JUnit XML is valid by its schema: files with findings fail, what was not checked is skipped', async () => {
  const report = await lintFiles(NASTY)
  const contents = printReport(report, 'junit', { version: '1', prefix: 'my warehouse/' })
  const { errors, valid } = await validateXML({
    xml: { fileName: 'report.xml', contents },
    schema: readFileSync(repositoryPath('test/fixtures/junit/junit-10.xsd'), 'utf8'),
  })
  expect({ errors, valid }).toEqual({ errors: [], valid: true })
  expect(contents).toContain('<testcase classname="stagecraft.SC409.cycle" name="no findings"/>')
  expect(contents).toContain('name="my warehouse/models/marts/fct_&quot;a&amp;b&lt;c&gt;.sql"')
  expect(contents).toMatch(
    /<failure type="error" message="line 1: there is no model \]\]&gt;&amp;&lt;&quot;\ufffd\\u202e">/,
  )
  const infos = report.findings.filter(({ severity }) => severity === 'info')
  expect(infos.length).toBeGreaterThan(0)
  expect(contents.match(/<system-out>/g)).toHaveLength(new Set(infos.map(({ path }) => path)).size)
  expect(contents.match(/<skipped /g)).toHaveLength(report.unchecked.length)
  const failing = new Set(
    report.findings.flatMap(({ path, rule, severity }) => (severity === 'info' ? [] : [`${rule} ${path}`])),
  )
  expect(contents).toMatch(
    new RegExp(`<testsuites name="stagecraft" tests="\\d+" failures="${failing.size}"`),
  )
})

/** The fields that GitLab documents: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format */
const CODE_QUALITY = {
  type: 'array',
  items: {
    type: 'object',
    required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
    properties: {
      description: { type: 'string', minLength: 1 },
      check_name: { type: 'string', minLength: 1 },
      fingerprint: { type: 'string', minLength: 1 },
      severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
      location: {
        type: 'object',
        required: ['path', 'lines'],
        properties: {
          path: { type: 'string', pattern: '^(?!\\./|/)' },
          lines: {
            type: 'object',
            required: ['begin'],
            properties: { begin: { type: 'integer', minimum: 1 }, end: { type: 'integer', minimum: 1 } },
          },
        },
      },
    },
  },
}

test('the report for GitLab has its fields, and a fingerprint of its own for each finding', async () => {
  const report = await lintFiles(NASTY)
  const issues = JSON.parse(printReport(report, 'gitlab', { version: '1', prefix: 'dbt/' })) as readonly {
    readonly fingerprint: string
    readonly location: { readonly path: string }
  }[]
  const validate = new Ajv({ strict: true, allErrors: true }).compile(CODE_QUALITY)
  validate(issues)
  expect(validate.errors ?? []).toEqual([])
  expect(issues).toHaveLength(report.findings.length)
  expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(issues.length)
  expect(issues.map(({ location }) => location.path)).toContain('dbt/models/marts/fct orders.sql')
})

describe('a baseline', () => {
  const baselineOf = async (files: Files): Promise<Baseline> =>
    parseBaseline(printBaseline(nextEntries(await lintFiles(files), undefined)), BASELINE_FILE)
  const rule = findRule('SC902')
  const stale = rule && { rule, severity: rule.severity }

  test('takes known findings out, also when lines move, and leaves new ones', async () => {
    const baseline = await baselineOf(FILES)
    const moved = { ...FILES, 'models/marts/fct_open.sql': `\n\n${FILES['models/marts/fct_open.sql']}` }
    const report = applyBaseline(await lintFiles(moved), baseline, { stale })
    expect(report.findings).toEqual([])
    expect(printReport(report, 'text', { version: '1' })).toMatch(
      /^no findings in 7 files; 1 suppressed; \d+ in the baseline/m,
    )
    const more = { ...moved, 'models/marts/fct_more.sql': "select * from {{ source('shop', 'orders') }}\n" }
    const { findings } = applyBaseline(await lintFiles(more), baseline, { stale })
    expect(findings.map(({ path }) => path)).toEqual(['models/marts/fct_more.sql'])
  })

  test('knows the findings of a renamed YAML file, and no others', async () => {
    const yaml =
      "exposures:\n  - { name: board, type: dashboard, owner: { name: a }, depends_on: [ref('gone')] }\n"
    const before = { ...FILES, 'models/board.yml': yaml }
    const baseline = await baselineOf(before)
    const after: Files = {
      ...FILES,
      'models/marts/exposures.yml': yaml,
      'models/other.yml': yaml.replace('gone', 'lost'),
    }
    const isThere = (path: string): boolean => path in after
    const { findings } = applyBaseline(await lintFiles(after), baseline, { stale, isThere })
    expect(findings.map(({ path, rule }) => `${rule} ${path}`)).toEqual(['SC308 models/other.yml'])
    const more: Files = { ...before, 'models/copy.yml': yaml.replace('board', 'copy') }
    const copied = applyBaseline(await lintFiles(more), baseline, { stale, isThere: (path) => path in more })
    expect(copied.findings.map(({ path }) => path)).toEqual(['models/copy.yml'])
  })

  test('has an entry to a line, and those that nothing is found of are findings there', async () => {
    const baseline = await baselineOf(FILES)
    expect(baseline.file.text).not.toMatch(/fct_open\.sql|"line"/)
    const { 'models/marts/fct_open.sql': _mended, ...rest } = FILES
    const report = applyBaseline(await lintFiles(rest), baseline, { stale })
    expect(report.findings).toMatchObject([
      {
        rule: 'SC902',
        path: BASELINE_FILE,
        message: 'the baseline has SC403 of model fct_open (shop.orders), which lint no longer finds',
      },
    ])
    const [finding] = report.findings
    expect(baseline.file.text.split('\n')[(finding?.start.line ?? 0) - 1]).toContain('model fct_open')
  })

  test('keeps what rules know that were not checked', async () => {
    const baseline = await baselineOf(FILES)
    const report = await lintFiles(FILES)
    const partial = { ...report, rules: report.rules.filter(({ id }) => id === 'SC403'), findings: [] }
    const kept = nextEntries(partial, baseline).map((entry) => entry.rule)
    expect(kept).toEqual(baseline.entries.map((entry) => entry.rule).filter((id) => id !== 'SC403'))
    expect(kept).not.toEqual([])
  })

  test.each([
    ['<<<<<<< ours\n', /expected JSON, got Git conflict markers/],
    ['{}', /expected version: 1/],
    [
      '{"version":1,"findings":[{"rule":"SC1","subject":"x","fingerprint":"z"}]}',
      /findings\[0\]\.fingerprint: expected 64 hex/,
    ],
  ])('%j is refused', (text, message) => {
    expect(() => parseBaseline(text, 'known.json')).toThrow(message)
  })

  test('is told to code scanning as unchanged', async () => {
    const report = applyBaseline(await lintFiles(FILES), await baselineOf(FILES), { stale })
    const log = JSON.parse(printReport(report, 'sarif', { version: '1' })) as {
      readonly runs: readonly [{ readonly results: readonly Readonly<Record<string, unknown>>[] }]
    }
    const known = log.runs[0].results.filter(({ baselineState }) => baselineState === 'unchanged')
    expect(known).toHaveLength(report.suppressed.filter(({ kind }) => kind === 'baseline').length)
    expect(known.every(({ suppressions }) => Array.isArray(suppressions))).toBe(true)
  })
})

test('text for terminals has no control characters of the project', async () => {
  const files = { 'models/a.sql': "select '\u001b[31m\u0007\u009b2J' as a from raw.orders\n" }
  const printed = printReport(await lintFiles(files), 'text', { version: '1.2.3' })
  expect(printed).toContain(String.raw`select '\u001b[31m\u0007\u009b2J' as a from raw.orders`)
  expect(printed).not.toMatch(/(?!\n)\p{Cc}/u)
})
