import { isMap, isNode, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml'
import type { LintProject } from '../project/lint-project.ts'
import type { Entry, PropertiesFile } from '../project/properties-file.ts'
import { lineOf, type Place, positionOf, type SourceFile } from '../project/source-file.ts'
import { TEST_PROPERTIES } from '../fix/canonical-data.ts'
import type { Hit, Rule, Unchecked } from '../rule.ts'
import type { TextEdit } from '../vocabulary.ts'

/** Off by default: most projects still use it. One finding per file. */
export const oldSpelling = {
  id: 'SC306',
  name: 'old-spelling',
  group: 'properties',
  severity: 'warning',
  isDefault: false,
  needs: ['files'],
  summary: 'YAML uses the test syntax of older dbt versions',
  docs: {
    why: 'dbt 1.8 renamed `tests` to `data_tests`, and since 1.10.5 arguments of a test belong under `arguments`. The old syntax causes deprecation warnings, which newer versions may turn into errors.',
    example: {
      language: 'yaml',
      code: 'models:\n  - name: orders\n    columns:\n      - name: status\n        tests:\n          - accepted_values:\n              values: [open, paid]',
    },
    remedy: 'Write `data_tests`, and move arguments under `arguments`.',
  },
  fix: { safety: 'safe', summary: 'renames the key, and moves arguments under `arguments`' },
  check: (project) => {
    const oldest = oldestDbt(project)
    const subject = { kind: 'project', name: project.index.settings.name, detail: 'arguments' } as const
    const nests = isAtLeast(oldest, [1, 10, 5])
    const unchecked: Unchecked = {
      subject,
      unchecked:
        'require-dbt-version does not ensure dbt 1.10.5 or newer, so the arguments of tests are not moved',
    }
    const renames = oldest === undefined || isAtLeast(oldest, [1, 8, 0])
    return [
      ...project.properties.flatMap((file) => [
        ...(renames ? keyHits(file) : []),
        ...(nests ? argumentHits(file) : []),
      ]),
      ...(oldest === undefined ? [unchecked] : []),
    ]
  },
} satisfies Rule

type Version = readonly [number, number, number]

/** Returns the oldest dbt that `require-dbt-version` allows; undefined without a lower limit. */
function oldestDbt({ index }: LintProject): Version | undefined {
  const bounds = index.settings.requireDbtVersion.flatMap((range) =>
    range.split(',').flatMap((one) => {
      const [, major, minor, patch = '0'] = /^\s*(?:>=|>|==?|~=)\s*(\d+)\.(\d+)(?:\.(\d+))?/.exec(one) ?? []
      return major === undefined ? [] : [[Number(major), Number(minor), Number(patch)] as const]
    }),
  )
  return bounds.toSorted(compare).at(-1)
}

function compare(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}

function isAtLeast(version: Version | undefined, wanted: Version): boolean {
  return version !== undefined && compare(version, wanted) >= 0
}

/** Returns everything in a file that can have tests. */
function testedEntries({ entries }: PropertiesFile): readonly Entry[] {
  const owners = ['models', 'seeds', 'snapshots'].flatMap((list) => entries(list))
  const sources = entries('sources').flatMap((source) => source.entries('tables'))
  return [...owners, ...sources].flatMap((owner) => [
    owner,
    ...owner.entries('columns'),
    ...owner.entries('versions').flatMap((version) => version.entries('columns')),
  ])
}

function keyHits(file: PropertiesFile): readonly Hit[] {
  const spelled = testedEntries(file).flatMap(({ pair }) => {
    const key = pair('tests')?.key
    return key ? [{ key, isTwice: pair('data_tests') !== undefined }] : []
  })
  const [both, keys] = [true, false].map((isTwice) =>
    spelled.flatMap((one) => (one.isTwice === isTwice ? one.key : [])),
  )
  return [
    ...toHits(file, 'tests', {
      places: keys ?? [],
      message: (times) => `since dbt 1.8, tests is called data_tests${times}`,
      summary: 'write data_tests',
      edits: (keys ?? []).map((key) => ({ ...key, text: 'data_tests' })),
    }),
    ...toHits(file, 'tests and data_tests', {
      places: both ?? [],
      message: (times) =>
        `the entry has both tests and data_tests, which dbt refuses; move the tests under data_tests${times}`,
      summary: '',
      edits: [],
    }),
  ]
}

function argumentHits(file: PropertiesFile): readonly Hit[] {
  const tests = testedEntries(file).flatMap(({ pair }) => {
    const lists = [pair('data_tests')?.value, pair('tests')?.value]
    return lists.flatMap((list) =>
      isSeq(list) ? list.items.flatMap((item) => looseArguments(item) ?? []) : [],
    )
  })
  const edits = tests.flatMap((test) => nest(file.file, test) ?? [])
  return toHits(file, 'arguments', {
    places: tests.flatMap(({ loose: [first] }) => (first ? [placeOfKey(file.file, first)] : [])),
    message: (times) => `since dbt 1.10.5, the arguments of a test belong under arguments${times}`,
    summary: 'move them under arguments',
    edits,
  })
}

interface Found {
  readonly places: readonly Place[]
  readonly message: (times: string) => string
  readonly summary: string
  readonly edits: readonly TextEdit[]
}

function toHits(
  { file }: PropertiesFile,
  detail: string,
  { edits, message, places, summary }: Found,
): readonly Hit[] {
  const [place] = places
  if (!place) return []
  const times = places.length > 1 ? `, ${places.length} times in this file` : ''
  return [
    {
      message: message(times),
      place,
      subject: { kind: 'file', name: file.path, detail },
      ...(edits.length > 0 && {
        fix: { safety: 'safe' as const, summary, edit: { kind: 'text' as const, edits } },
      }),
    },
  ]
}

interface LooseTest {
  readonly map: YAMLMap
  /** Arguments outside of `arguments`. */
  readonly loose: readonly Pair[]
}

function looseArguments(item: unknown): LooseTest | undefined {
  const inner = propertiesOf(item)
  if (!inner) return undefined
  const loose = inner.items.filter(({ key }) => isScalar(key) && !TEST_PROPERTIES.has(String(key.value)))
  const hasArguments = inner.has('arguments')
  return loose.length > 0 && !hasArguments ? { map: inner, loose } : undefined
}

/** Returns the map with the properties of a test: below its name, or the one with `test_name`. */
function propertiesOf(item: unknown): YAMLMap | undefined {
  if (!isMap(item)) return undefined
  if (item.has('test_name')) return item
  const inner = item.items.length === 1 ? item.items[0]?.value : undefined
  return isMap(inner) ? inner : undefined
}

/** Returns the edits that move arguments below `arguments`; undefined if they are not adjacent. */
function nest(file: SourceFile, { loose, map }: LooseTest): readonly TextEdit[] | undefined {
  const [first, last] = [loose[0], loose.at(-1)]
  const from = first ? map.items.indexOf(first) : -1
  const isTogether = loose.every((pair, index) => map.items[from + index] === pair)
  if (!first || !last || !isTogether || !isNode(first.key)) return undefined
  const start = first.key.range?.[0] ?? 0
  const end = endOf(last)
  const { path } = file
  if (map.flow === true)
    return [
      { path, start, end: start, text: 'arguments: {' },
      { path, start: end, end, text: '}' },
    ]
  const { column, line } = positionOf(file, start)
  if (!/^[ -]*$/.test(lineOf(file, line).slice(0, column - 1))) return undefined
  const lineBreak = file.text.includes('\r\n') ? '\r\n' : '\n'
  const inner = `arguments:${lineBreak}${' '.repeat(column + 1)}`
  const rest = file.lineStarts.filter((offset) => offset > start && offset < end)
  return [
    { path, start, end: start, text: inner },
    ...rest
      .filter(
        (offset) => !/^[ \t]*\r?(?:\n|$)/.test(file.text.slice(offset, file.text.indexOf('\n', offset) + 1)),
      )
      .map((offset) => ({ path, start: offset, end: offset, text: '  ' })),
  ]
}

function endOf({ key, value }: Pair): number {
  const node: Node | undefined = isNode(value) ? value : isNode(key) ? key : undefined
  return node?.range?.[1] ?? 0
}

function placeOfKey({ path }: SourceFile, { key }: Pair): Place {
  const range = isNode(key) ? key.range : undefined
  return { path, start: range?.[0] ?? 0, end: range?.[1] ?? 0 }
}
