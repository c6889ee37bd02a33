import { type IndexedModel, testValues, type YamlOwner, type YamlValue } from '@stagecraft/dbt'
import type { Column, ColumnValue } from '@stagecraft/spec'
import type { LintProject } from '../project/lint-project.ts'
import { asMap } from '../project/model-config.ts'
import type { Entry } from '../project/properties-file.ts'
import type { Hit, Rule } from '../rule.ts'
import type { Subject } from '../vocabulary.ts'
import { bare, readTests, type WrittenTest } from './columns.ts'
import { isWord, sqlTokens } from './sql-tokens.ts'
import {
  checkRawTables,
  checkStaged,
  columnEntry,
  type DeclaredTable,
  outputOf,
  rawColumn,
  testWith,
} from './raw-columns.ts'
import { list } from './subjects.ts'

/** The raw table or its rows show the values; the test lists accepted ones. */
export const contradictedTest = {
  id: 'SC110',
  name: 'contradicted-test',
  group: 'sources',
  severity: 'error',
  isDefault: true,
  needs: ['files', 'structure', 'raw-tables'],
  summary: 'an accepted_values test lacks values that the raw table allows, or that its rows have',
  docs: {
    why: 'The test fails at the first row with such a value. The raw table allows the value, or had it when its rows were profiled.',
    example: {
      language: 'yaml',
      code: "models:\n  - name: stg_shop__orders # check (status in ('open', 'paid', 'void'))\n    columns:\n      - name: status\n        data_tests:\n          - accepted_values:\n              arguments: { values: [open, paid] }",
    },
    remedy: 'Add the values, and review each `case` on the column.',
  },
  fix: { safety: 'unsafe', summary: 'adds the values to the test' },
  check: (project) => [
    ...checkRawTables(project, (declared, raw) =>
      (declared.entry?.entries('columns') ?? []).flatMap((column) => {
        const { owner, subject } = declared
        const found = rawColumn(raw, column.name)
        return judge(project, column, { owner, known: knownValues(project, declared, found), subject })
      }),
    ),
    ...checkStaged(project, (staged) =>
      staged.raw.columns.flatMap((raw) => {
        const output = outputOf(staged, raw.name)
        const column = output?.kind === 'direct' ? columnEntry(project, staged.model, output.name) : undefined
        const owner = { list: 'models', name: staged.model.name } as const
        const known = knownValues(project, staged.declared, raw)
        const isPart = output !== undefined && isFiltered(project, staged.model, [raw.name, output.name])
        return column && !isPart ? judge(project, column, { owner, known, subject: staged.subject }) : []
      }),
    ).filter((answer): answer is Hit => 'message' in answer),
  ],
} satisfies Rule

interface Judged {
  readonly owner: YamlOwner
  readonly known: KnownValues
  readonly subject: (detail?: string) => Subject
}

/** The values that a raw column may have, or has had. */
interface KnownValues {
  readonly values: readonly ColumnValue[]
  /** `which the raw table lists`. */
  readonly from: string
}

/** Returns the declared values, else those of the rows. */
function knownValues(
  project: LintProject,
  { source, table }: DeclaredTable,
  column: Column | undefined,
): KnownValues {
  if (column?.values) return { values: column.values, from: 'which the raw table lists' }
  const observed = project.raw.observedOf(source.name, table.name)
  const seen = observed?.values?.find((one) => one.column === column?.name)
  const day = observed?.on === undefined ? '' : ` on ${observed.on}`
  return { values: seen?.values ?? [], from: `which rows of the raw table had${day}` }
}

function judge(
  project: LintProject,
  column: Entry,
  { known: { from, values }, owner, subject }: Judged,
): readonly Hit[] {
  return readTests(column).flatMap((test) => {
    const accepted = acceptedOf(project, column.place.path, test)
    if (!accepted) return []
    const isNumeric = test.arguments['quote'] === false
    const lacking = values.filter(
      (value) => value !== null && !accepted.some((one) => isSame(one, value, isNumeric)),
    )
    if (lacking.length === 0) return []
    return [
      {
        message: `the test accepted_values of ${column.name} lacks ${list(lacking.map(String))}, ${from}`,
        place: column.place,
        subject: subject(column.name),
        fix: {
          safety: 'unsafe' as const,
          summary: 'add them',
          edit: {
            kind: 'yaml' as const,
            path: column.place.path,
            edits: [
              {
                kind: 'remove-tests',
                owner,
                column: column.name,
                tests: [test.written as YamlValue],
              } as const,
              {
                kind: 'add-tests',
                owner,
                column: column.name,
                tests: [withValues(project, test, [...accepted, ...lacking])],
              } as const,
            ],
          },
        },
      },
    ]
  })
}

/**
 * The accepted values; undefined for other tests, for those of some rows or that let some rows fail, and for values that Jinja works
 * out. dbt_project.yml configures tests by folder: https://docs.getdbt.com/reference/data-test-configs
 */
function acceptedOf(
  { index: { settings } }: LintProject,
  path: string,
  { arguments: given, name }: WrittenTest,
): readonly YamlValue[] | undefined {
  const { values } = given
  if (name !== 'accepted_values' || !Array.isArray(values)) return undefined
  const own = { ...given, ...asMap(given['config']) }
  const set = (key: string): unknown => own[key] ?? testValues(path, key, settings).at(-1)
  const limits = ['where', 'error_if', 'warn_if'].map(set)
  const isOfAllRows = limits.every((limit) => limit === undefined || limit === null)
  const isKnown = values.every((value) => !JSON.stringify(value).includes('{{'))
  const enabled = set('enabled')
  return isOfAllRows && isKnown && (enabled === undefined || enabled === true)
    ? (values as YamlValue[])
    : undefined
}

/** Numbers are the same in any spelling, if one of them is written as a number: 1.5 and `1.50`. */
function isSame(accepted: YamlValue, value: ColumnValue, isNumeric: boolean): boolean {
  const texts = [textOf(accepted), String(value)]
  // dbt puts quotes around a value as it is, so one with a quote inside is written with its escape
  if (texts[0] === texts[1] || unescaped(texts[0] ?? '') === texts[1]) return true
  if (typeof accepted === 'boolean' || typeof value === 'boolean')
    return texts[0]?.toLowerCase() === texts[1]?.toLowerCase()
  if (!isNumeric && typeof accepted !== 'number' && typeof value !== 'number') return false
  const [left, right] = texts.map((text) => (text.trim() === '' ? Number.NaN : Number(text)))
  return left === right
}

const unescaped = (text: string): string => text.replaceAll(/''|\\'/g, "'")

const textOf = (value: YamlValue): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

const CONDITIONS = ['where', 'having', 'qualify', 'on']
const OTHER_CLAUSES = ['select', 'from', 'group', 'order', 'limit', 'union']

/** A call of a macro behind the start of a condition, which may name any column. */
const MACRO_IN_CONDITION =
  /\b(?:where|having|qualify|on)\b[^]*?\{\{-?\s*(?!(?:ref|source|var|env_var|is_incremental)\s*\()[\w.]+\s*\(/i

/** Returns true if a condition of the model may name a column: then not all of its values get through. */
function isFiltered(project: LintProject, model: IndexedModel, names: readonly string[]): boolean {
  if (MACRO_IN_CONDITION.test(project.files.get(model.path)?.text ?? '')) return true
  const wanted = new Set(names.map((name) => name.toLowerCase()))
  let isCondition = false
  return sqlTokens(project, model).some((token) => {
    if (isWord(token, ...CONDITIONS)) isCondition = true
    else if (isWord(token, ...OTHER_CLAUSES)) isCondition = false
    return isCondition && wanted.has(bare(token.text).toLowerCase())
  })
}

/** Returns the test with other values and everything else unchanged. */
function withValues(project: LintProject, { written }: WrittenTest, values: readonly YamlValue[]): YamlValue {
  const replaced = replaceValues(written as YamlValue, values)
  return replaced ?? testWith(project, 'accepted_values', { values: [...values] })
}

function replaceValues(data: YamlValue, values: readonly YamlValue[]): YamlValue | undefined {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined
  return Object.fromEntries(
    Object.entries(data).map(([key, inner]): readonly [string, YamlValue] => [
      key,
      key === 'values' ? values : (replaceValues(inner, values) ?? inner),
    ]),
  )
}
